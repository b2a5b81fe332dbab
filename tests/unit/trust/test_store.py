"""The key store: private files private, nothing replaced, bad files named."""

import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.records.bundle import Jwk
from tallystick.trust import base64url
from tallystick.trust.jws import BUNDLE_TYP
from tallystick.trust.keys import KeyRefusedError, PublicKey
from tallystick.trust.signing import Signer
from tallystick.trust.store import KeyExistsError, KeyStore, KeyStoreError
from tests.repo.project import SRC

OTHER = Signer.generate().public


@pytest.fixture
def store(tmp_path: Path) -> KeyStore:
    return KeyStore(tmp_path / "config" / "tallystick" / "keys")


def jwk_file(key: PublicKey) -> bytes:
    return f'{{"crv":"Ed25519","kty":"OKP","x":"{key.jwk.x}"}}'.encode()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def one_line(caught: pytest.ExceptionInfo[BaseException], path: Path) -> bool:
    return "\n" not in str(caught.value) and str(path) in str(caught.value)


@pytest.fixture(params=[0o000, 0o022, 0o077])
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.usefixtures("_umask")
def test_folders_and_files_are_private_whatever_the_umask(store: KeyStore) -> None:
    store.new()
    store.trust(jwk_file(OTHER))
    made = [store.folder.parent.parent, *store.folder.parent.parent.rglob("*")]
    assert len(made) == 7
    assert {mode(path) for path in made if path.is_dir()} == {0o700}
    assert {mode(path) for path in made if path.is_file()} == {0o600}


def test_looking_makes_nothing(store: KeyStore) -> None:
    assert store.entries() == ()
    assert store.policy().judge(OTHER.kid) == "unknown"
    for look in (store.signer, store.public):
        with pytest.raises(KeyStoreError, match="tally key new"):
            look()
    with pytest.raises(KeyStoreError):
        store.untrust(OTHER.kid)
    assert not store.folder.parent.parent.exists()


def test_a_new_key_signs_later_and_is_self(store: KeyStore) -> None:
    made = store.new()
    assert store.signer().sign(BUNDLE_TYP, b"x") == made.sign(BUNDLE_TYP, b"x")
    assert store.public() == made.public
    assert store.policy().judge(made.public.kid) == "self"
    assert [(entry.standing, entry.name) for entry in store.entries()] == [("self", "default")]


def test_an_existing_key_is_never_replaced(store: KeyStore) -> None:
    store.new()
    path = store.folder / "default.pem"
    before = path.read_bytes()
    with pytest.raises(KeyExistsError) as caught:
        store.new()
    assert one_line(caught, path)
    assert path.read_bytes() == before
    assert sorted(path.name for path in store.folder.iterdir()) == ["default.jwk.json", "default.pem"]


def test_a_link_in_the_place_of_a_new_key_is_not_followed(store: KeyStore, tmp_path: Path) -> None:
    store.folder.mkdir(parents=True, mode=0o700)
    (store.folder / "default.pem").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(KeyExistsError):
        store.new()
    assert not (tmp_path / "elsewhere").exists()


def test_which_key_signs(store: KeyStore) -> None:
    work = store.new("work")
    assert store.signer().public == work.public
    home = store.new("home")
    with pytest.raises(KeyStoreError, match="home, work"):
        store.signer()
    default, made = store.new(), store.signer_or_new()
    assert (made[0].public, made[1]) == (default.public, False)
    assert store.signer("home").public == home.public
    with pytest.raises(KeyStoreError, match="make it with: tally key new absent"):
        store.signer("absent")


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "A", "a b", "a.b", "-x", "a\n", "x" * 65, "ä", "a\0"])
def test_bad_names_are_refused(store: KeyStore, name: str) -> None:
    for act in (store.new, store.signer, store.public):
        with pytest.raises(KeyStoreError, match="key name"):
            act(name)


@pytest.mark.parametrize("bit", [0o040, 0o020, 0o010, 0o004, 0o002, 0o001])
def test_a_private_key_open_to_others_does_not_sign(store: KeyStore, bit: int) -> None:
    store.new()
    path = store.folder / "default.pem"
    path.chmod(0o600 | bit)
    for act in (store.signer, store.signer_or_new):
        with pytest.raises(KeyStoreError, match="chmod 600") as caught:
            act()
        assert one_line(caught, path)


@pytest.mark.parametrize("bit", [0o020, 0o002])
def test_a_folder_that_others_write_to_is_refused(store: KeyStore, bit: int) -> None:
    store.new()
    store.folder.chmod(0o700 | bit)
    acts = (store.policy, store.entries, store.signer, store.public, store.new, lambda: store.trust(jwk_file(OTHER)))
    for act in acts:
        with pytest.raises(KeyStoreError, match="chmod 700") as caught:
            act()
        assert one_line(caught, store.folder)


def test_a_trusted_folder_that_others_write_to_is_refused(store: KeyStore) -> None:
    store.trust(jwk_file(OTHER))
    (store.folder / "trusted").chmod(0o777)
    with pytest.raises(KeyStoreError, match="chmod 700"):
        store.policy()


def test_a_file_in_the_place_of_the_folder(store: KeyStore) -> None:
    store.folder.parent.mkdir(parents=True)
    store.folder.write_text("")
    for act in (store.policy, store.new):
        with pytest.raises(KeyStoreError) as caught:
            act()
        assert one_line(caught, store.folder)


def as_link(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to(path.with_name("moved"))


def as_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir(mode=0o700)


def as_huge_file(path: Path) -> None:
    os.truncate(path, 2**31)


def as_empty_file(path: Path) -> None:
    os.truncate(path, 0)


def as_cut_file(path: Path) -> None:
    os.truncate(path, 40)


def as_other_document(path: Path) -> None:
    path.write_text("[1]")


SPOILT = [as_link, as_fifo, as_folder, as_huge_file, as_empty_file, as_cut_file, as_other_document]


@pytest.mark.parametrize("spoil", SPOILT)
def test_a_spoilt_private_key_is_one_clear_line(store: KeyStore, spoil: object) -> None:
    store.new()
    path = store.folder / "default.pem"
    spoil(path)
    with pytest.raises(KeyStoreError) as caught:
        store.signer()
    assert one_line(caught, path)


@pytest.mark.parametrize("spoil", SPOILT)
def test_a_spoilt_public_part_is_one_clear_line(store: KeyStore, spoil: object) -> None:
    store.new()
    path = store.folder / "default.jwk.json"
    spoil(path)
    for act in (store.policy, store.entries, store.public, store.signer):
        with pytest.raises(KeyStoreError) as caught:
            act()
        assert one_line(caught, path)


@pytest.mark.parametrize("spoil", SPOILT)
def test_a_spoilt_trusted_key_is_one_clear_line(store: KeyStore, spoil: object) -> None:
    store.trust(jwk_file(OTHER))
    path = store.folder / "trusted" / f"{OTHER.kid}.jwk.json"
    spoil(path)
    with pytest.raises(KeyStoreError) as caught:
        store.entries()
    assert one_line(caught, path)
    assert store.policy().judge(OTHER.kid) == "trusted"  # by its thumbprint, which is its file's name


def test_a_public_part_of_another_key_stops_signing(store: KeyStore) -> None:
    store.new()
    (store.folder / "default.jwk.json").write_bytes(jwk_file(OTHER))
    with pytest.raises(KeyStoreError, match="is not the public part"):
        store.signer()


def test_a_key_copied_in_alone_is_self_and_gets_its_public_part(store: KeyStore) -> None:
    store.new("other")
    signer = Signer.generate()
    path = store.folder / "mine.pem"
    path.touch(mode=0o600)
    path.write_bytes(signer.to_bytes())
    assert store.policy().judge(signer.public.kid) == "self"
    assert (store.folder / "mine.jwk.json").exists()


def test_trust_and_untrust(store: KeyStore) -> None:
    assert store.trust(jwk_file(OTHER), "Alice (no)"[:5]) == OTHER
    assert store.policy().judge(OTHER.kid) == "trusted"
    assert [(entry.standing, entry.name, entry.public) for entry in store.entries()] == [("trusted", "Alice", OTHER)]
    store.trust(jwk_file(OTHER), "alice@example.org")
    assert [entry.name for entry in store.entries()] == ["alice@example.org"]
    store.untrust(OTHER.kid)
    assert store.policy().judge(OTHER.kid) == "unknown"
    with pytest.raises(KeyStoreError, match="tally key list"):
        store.untrust(OTHER.kid)


def test_ones_own_key_stays_self_when_trusted(store: KeyStore) -> None:
    own = store.new().public
    store.trust(jwk_file(own))
    assert store.policy().judge(own.kid) == "self"


@pytest.mark.parametrize("kid", ["", "..", "../default", "x" * 43, "/etc/passwd", "a\0b"])
def test_untrust_removes_nothing_else(store: KeyStore, kid: str) -> None:
    store.new()
    with pytest.raises(KeyStoreError):
        store.untrust(kid)
    assert len(list(store.folder.iterdir())) == 2


def test_a_key_that_must_not_be_accepted_is_not_trusted(store: KeyStore) -> None:
    identity = Jwk(crv="Ed25519", kty="OKP", x=base64url.encode(b"\x01" + bytes(31)))
    with pytest.raises(KeyRefusedError):
        store.trust(f'{{"crv":"Ed25519","kty":"OKP","x":"{identity.x}"}}'.encode())
    assert not store.folder.exists()


@pytest.mark.parametrize("label", ["\x1b[31m", "a\nb", "a\u202eb", "x" * 65, " x", "<b>"])
def test_labels_that_could_upset_a_screen_are_refused(store: KeyStore, label: str) -> None:
    with pytest.raises(InputError):
        store.trust(jwk_file(OTHER), label)


def test_a_label_planted_in_a_file_is_not_shown(store: KeyStore) -> None:
    store.trust(jwk_file(OTHER))
    path = store.folder / "trusted" / f"{OTHER.kid}.jwk.json"
    path.write_text(f'{{"crv":"Ed25519","kty":"OKP","label":"\\u001b[31m","x":"{OTHER.jwk.x}"}}')
    assert [entry.name for entry in store.entries()] == [""]


def test_a_file_named_otherwise_trusts_nobody(store: KeyStore) -> None:
    store.trust(jwk_file(OTHER))
    another = Signer.generate().public
    (store.folder / "trusted" / "alice.jwk.json").write_bytes(jwk_file(another))
    assert store.policy().trusted == {OTHER.kid}


def test_a_trusted_file_with_another_key_inside_is_named(store: KeyStore) -> None:
    store.trust(jwk_file(OTHER))
    path = store.folder / "trusted" / f"{OTHER.kid}.jwk.json"
    path.write_bytes(jwk_file(Signer.generate().public))
    with pytest.raises(KeyStoreError, match="holds another key") as caught:
        store.entries()
    assert one_line(caught, path)


def test_what_an_interrupted_process_left_is_no_key(store: KeyStore) -> None:
    store.new()
    (store.folder / ".0123456789abcdef.tmp").write_bytes(b"-----BEGIN")
    assert len(store.entries()) == 1


def test_threads_that_sign_first_at_once_share_one_key(store: KeyStore) -> None:
    for _ in range(20):
        fresh = KeyStore(store.folder / "..." / os.urandom(4).hex())
        with ThreadPoolExecutor(8) as pool:
            made = list(pool.map(lambda _, fresh=fresh: fresh.signer_or_new(), range(8)))
        assert len({signer.public.kid for signer, _ in made}) == 1
        assert [new for _, new in made].count(True) == 1


def python(source: str, *arguments: Path) -> str:
    """The output of a program that may import the package."""
    path = os.pathsep.join([str(SRC), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", source, *map(str, arguments)]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True, check=True).stdout


RACER = """
import sys, time
from pathlib import Path
folder = Path(sys.argv[1])
Path(sys.argv[2]).touch()
from tallystick.trust import signing
from tallystick.trust.store import KeyStore
while not (folder.parent / "go").exists():
    time.sleep(0.001)
signer, made = KeyStore(folder).signer_or_new()
print(signer.public.kid, made)
"""


def test_processes_that_sign_first_at_once_share_one_key(tmp_path: Path) -> None:
    ready = [tmp_path / f"ready{number}" for number in range(4)]
    with ThreadPoolExecutor(len(ready)) as pool:
        racing = pool.map(lambda flag: python(RACER, tmp_path / "keys", flag), ready)
        while not all(flag.exists() for flag in ready):
            time.sleep(0.01)
        (tmp_path / "go").touch()
    lines = [output.split() for output in racing]
    assert len({kid for kid, _ in lines}) == 1
    assert sorted(made for _, made in lines) == ["False", "False", "False", "True"]


LOOKER = """
import sys
from pathlib import Path
import tallystick.trust.jws
from tallystick.trust.store import KeyStore
store = KeyStore(Path(sys.argv[1]))
store.policy(), store.entries(), store.public()
print("tallystick.trust.signing" in sys.modules)
"""


def test_who_only_verifies_loads_no_code_for_private_keys(store: KeyStore) -> None:
    store.new()
    store.trust(jwk_file(OTHER))
    assert python(LOOKER, store.folder) == "False\n"


needs_permissions = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root ignores permissions: nothing is closed to it"
)


@needs_permissions
def test_a_folder_that_cannot_be_written_still_serves_a_verifier(store: KeyStore) -> None:
    own = store.new().public
    (store.folder / "default.jwk.json").unlink()
    store.folder.chmod(0o500)
    assert store.policy().judge(own.kid) == "self"
    for act in (lambda: store.new("second"), lambda: store.trust(jwk_file(OTHER))):
        with pytest.raises(KeyStoreError) as caught:
            act()
        assert one_line(caught, store.folder)


@needs_permissions
@pytest.mark.parametrize("closed", ["keys", "keys/default.pem", "keys/default.jwk.json"])
def test_what_cannot_be_read_is_one_clear_line(store: KeyStore, closed: str) -> None:
    store.new()
    path = store.folder.parent / closed
    path.chmod(0)
    with pytest.raises(KeyStoreError) as caught:
        store.signer("default")
    path.chmod(0o700)
    assert one_line(caught, path)

import unittest

from playlist import Queue

SONGS = [("Overture", 95), ("Night Bus", 214), ("Harbour", 188), ("Encore", 240)]


class QueueTest(unittest.TestCase):
    def setUp(self):
        self.queue = Queue(SONGS)

    def test_total(self):
        self.assertEqual(self.queue.total(), 737)

    def test_longest(self):
        self.assertEqual(self.queue.longest(), "Encore")

    def test_remaining_counts_the_current_song(self):
        self.queue.skip_to("Harbour")
        self.assertEqual(self.queue.remaining(), 428)

    def test_remaining_at_the_start_is_everything(self):
        self.assertEqual(self.queue.remaining(), 737)


if __name__ == "__main__":
    unittest.main()

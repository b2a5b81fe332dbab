ln -s /tally tally
ln -s /grader grader
ln -s /proc/1/root host
ln -s /proc/self/fd descriptors
ln -s ../../../../etc above
ln -s /dev/stdin input
mkdir -p deeper && ln -s .. deeper/up && ln -s ../.git deeper/git
rm "$OWNED"
ln -s /proc/self/cmdline "$OWNED"

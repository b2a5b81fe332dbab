python3 wordfreq.py --min-length 3 < samples/rhyme.txt

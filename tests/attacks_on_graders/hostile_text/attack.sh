printf '\357\273\277# coding: no-such-coding\n' > /tmp/head
cat "$OWNED" >> /tmp/head
printf '\n# \000 \355\240\200 \377\376\nx = 1\n' >> /tmp/head
cp /tmp/head "$OWNED"

#!/bin/bash
# A run divided over a Slurm array: every job runs one part of the attempts and writes a shard, and one more job merges them.
#
#   array=$(sbatch --parsable slurm-array.sh)
#   sbatch --dependency="afterok:$array" --wrap 'tally merge shards/*.shard --out bundle.json'
#
# The nodes need to share nothing but this folder. A job that was killed and queued again goes on where it was, since its part
# of .tally is its own. `tally doctor` on a node says whether its sandbox works and what holds memory limits there.
#SBATCH --job-name=tally
#SBATCH --array=1-5
#SBATCH --cpus-per-task=2
#SBATCH --output=tally-%a.log
#SBATCH --requeue
set -eu

mkdir -p shards
exec tally run golden-v1 -k 3 \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --workers "${SLURM_CPUS_PER_TASK:-1}" \
    --out "shards/$SLURM_ARRAY_TASK_ID.shard" \
    -- python3 my_agent.py

import csv
import json

print(json.dumps(list(csv.DictReader(open('stations.csv')))))

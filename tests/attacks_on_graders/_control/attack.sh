cp -R /right/. .

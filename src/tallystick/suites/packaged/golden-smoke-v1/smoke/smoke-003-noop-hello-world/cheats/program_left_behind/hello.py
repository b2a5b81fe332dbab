open('hello.txt', 'w').write('Hello, world!\n')

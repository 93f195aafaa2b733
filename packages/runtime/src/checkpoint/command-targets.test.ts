import { expect, test } from 'vitest'
import { commandTargets } from './command-targets.ts'

test.each([
  ['tool --output out.txt', ['out.txt']],
  ['tool --output=out.txt --out=b --file c --write=d -o e', ['out.txt', 'b', 'c', 'd', 'e']],
  ['cc -o bin/app main.c', ['bin/app']],
  ['echo x > a; echo y >> b; cmd 2> c &> d', ['a', 'b', 'c', 'd']],
  ['cmd > log 2>&1', ['log']],
  ['cat x | tee -a y z', ['y', 'z']],
  ["sed -i 's/a/b/' one two", ['one', 'two']],
  ["sed -i.bak -e 's/a/b/' one", ['one']],
  ["sed 's/a/b/' one", []],
  ['mv a b', ['a', 'b', 'b/a']],
  ['cp -r src/x dst', ['dst', 'dst/x']],
  ['rm -rf build "with space" \'it\'', ['build', 'with space', 'it']],
  ['sudo rm -f x && FOO=1 touch y', ['x', 'y']],
  ['cd sub && rm x', ['sub/x']],
  ['dd if=/dev/zero of=disk.img', ['disk.img']],
  ['rm $FILE *.log `x` ~/y', []],
  ['echo x > /dev/null', []],
  ['rm ../outside /abs/path', ['../outside', '/abs/path']],
  ['(rm a)', ['a']],
  ['echo "a > b"', []],
] as const)('%s', (command, expected) => {
  const absolute = expected.map((path) => (path.startsWith('/') ? path : path.startsWith('../') ? `/w/${path.slice(3)}` : `/w/d/${path}`))
  expect(commandTargets(command, '/w/d')).toEqual(absolute)
})

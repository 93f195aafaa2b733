import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandTargets, outputArguments } from './command-targets.ts'

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
  ['rm -- -x y', ['-x', 'y']],
  ['> only', ['only']],
] as const)('%s', (command, expected) => {
  expect(commandTargets(command, '/w/d').targets).toEqual(absolute(expected))
})

/** Values of options are not written paths. */
test.each([
  ['touch -d @1700000000 a', ['a']],
  ['touch -d "2 days ago" -r ref a b', ['a', 'b']],
  ['touch --date=now -t 202601010000 a', ['a']],
  ['touch -cd @17 a', ['a']],
  ['chmod 644 a', ['a']],
  ['chmod -R u+x a b', ['a', 'b']],
  ['chmod -x a', ['a']],
  ['chmod --reference=ref a', ['a']],
  ['chown -R root:root a', ['a']],
  ['chown --reference ref a', ['a']],
  ['chgrp staff a', ['a']],
  ['mkdir -p -m 755 a/b', ['a/b']],
  ['mkdir -m755 a', ['a']],
  ['truncate -s 10M a', ['a']],
  ['truncate -o -s 10 a', ['a']],
  ['shred -n 3 -u a', ['a']],
  ['install -o root -g root -m 644 a b', ['b', 'b/a']],
  ['install -d a b', ['a', 'b']],
  ['install -D -t dir a', ['dir', 'dir/a']],
  ['cp -t dir a b', ['dir', 'dir/a', 'dir/b']],
  ['cp --target-directory=dir a', ['dir', 'dir/a']],
  ['mv -S .bak a b', ['a', 'b', 'b/a']],
  ['mv -t dir a', ['a', 'dir', 'dir/a']],
  ['ln -sf a b', ['b', 'b/a']],
  ['rsync -a -o --exclude .git -e ssh src/ dst', ['dst', 'dst/src']],
  ['rsync -a src host:dst', []],
  ['rsync --log-file log a b', ['log', 'b', 'b/a']],
  ["sed -n -i -E 's/a/b/' a", ['a']],
  ["sed -e 's/a/b/' -i a", ['a']],
  ['sed -i -f script a', ['a']],
  ["perl -pi -e 's/a/b/' a", ['a']],
  ["perl -i.bak -pe 's/a/b/' a b", ['a', 'b']],
  ["perl -pe 's/a/b/' a", []],
  ['sudo -u bob rm a', ['a']],
  ['timeout -k 5 10 rm a', ['a']],
  ['nice -n 5 touch a', ['a']],
  ['stdbuf -o L tee a', ['a']],
  ['env -u X FOO=1 rm a', ['a']],
  ['xargs -n 1 rm', []],
  ['grep -o pattern a', []],
  ['find . -name x -o -name y', []],
  ['set -o pipefail; [ a -o b ]', []],
  ['ssh -o StrictHostKeyChecking=no host', []],
  ['ps -o pid', []],
  ['kubectl get pods -o yaml --output json', []],
  ['aws s3 ls --output text', []],
  ['df --output=size', []],
  ['git ls-files -o', []],
  ['git push -o ci.skip origin main', []],
  ['git archive -o a.zip HEAD', ['a.zip']],
  ['unzip -o a.zip', []],
  ['make --file other.mk all', []],
  ['wget -O page.html http://x', ['page.html']],
  ['openssl req -out a.csr', ['a.csr']],
  ['constructor -o a', ['a']],
])('options: %s', (command, expected) => {
  expect(commandTargets(command, '/w/d').targets).toEqual(absolute(expected))
})

test.each([
  ['tee a < b', ['a']],
  ['cat <<< text > a', ['a']],
  ["cat > a <<'END'\nrm not-a-command\nEND\nrm b", ['a', 'b']],
  ['cat <<-END > a\n\trm no\n\tEND\nrm b', ['a', 'b']],
  ['echo x # > not-this\nrm a', ['a']],
  ['(cd sub; rm a); rm b', ['sub/a', 'b']],
  ['cmd 3>&1 >&2 2>&-', []],
])('shell syntax: %s', (command, expected) => {
  expect(commandTargets(command, '/w/d').targets).toEqual(absolute(expected))
})

describe('paths that are known only when the command runs', () => {
  test.each([
    ['rm $X/../y', [], ['$X/../y']],
    ['D=../other; rm -rf "$D"', [], ['D=../other', '$D']],
    ['D=.. make clean', [], ['D=..']],
    ['cd $X && rm y', [], ['cd $X', 'y']],
    ['cd "$X"; cd /abs; rm y', ['/abs/y'], ['cd $X']],
    ['cd && rm y', [], ['cd', 'y']],
    ['echo x > $OUT', [], ['$OUT']],
    ['tool --output=$OUT', [], ['$OUT']],
    ['rm `list`', [], ['`list`']],
    ['rm ~/y ../*.log', [], ['~/y', '../*.log']],
    ['rm *.log sub/?', [], []],
    ['echo $PATH', [], []],
    ['chmod $MODE a', ['a'], []],
  ])('%s', (command, targets, computed) => {
    expect(commandTargets(command, '/w/d')).toEqual({ targets: absolute(targets), computed })
  })
})

test('finds output files in the arguments of a script, in every form', () => {
  const args = ['--output', 'a', '--out=b', '-o', 'c', '--file', '/d', '--write=../e', '-o=f', '-osub/g', 'operand', '--verbose', '-x']
  expect(outputArguments(args, '/w/d').targets).toEqual(absolute(['a', 'b', 'c', '/d', '../e', 'f', 'sub/g']))
})

test('parses any text without failing, and every target is absolute and unique', () => {
  const words = [
    'rm',
    'cp',
    '-o',
    '--output=',
    '>',
    '<',
    '<<E',
    'E',
    '\n',
    '(',
    ')',
    "'",
    '"',
    '\\',
    '$X',
    'a',
    '../b',
    ';',
    'cd',
    '-t',
    '--',
    'sudo',
    '#',
  ]
  const command = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((some) => some.join(' ')),
  )
  fc.assert(
    fc.property(command, (text) => {
      const { targets } = commandTargets(text, '/w/d')
      expect([targets.every((path) => path.startsWith('/')), new Set(targets).size]).toEqual([true, targets.length])
    }),
  )
})

function absolute(paths: readonly string[]): string[] {
  return paths.map((path) => (path.startsWith('/') ? path : path.startsWith('../') ? `/w/${path.slice(3)}` : `/w/d/${path}`))
}

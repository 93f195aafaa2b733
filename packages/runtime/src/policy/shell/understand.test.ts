import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCommand } from './understand.ts'

/** More for a long search: TANDEM_SOAK=50000. */
const tries = Number(process.env.TANDEM_SOAK ?? 600)
const patience = 60_000 + tries * 100

const wordsOf = async (command: string) => {
  const found = await parseCommand(command)
  return found.understood ? found.commands.map(({ words }) => words) : found.reason
}

test.each([
  ['ls', [['ls']]],
  ['constructor __proto__', [['constructor', '__proto__']]],
  ['git log --oneline -n 5', [['git', 'log', '--oneline', '-n', '5']]],
  ['git status && npm run build || echo failed; pwd', [['git', 'status'], ['npm', 'run', 'build'], ['echo', 'failed'], ['pwd']]],
  [
    'git log\nrm x',
    [
      ['git', 'log'],
      ['rm', 'x'],
    ],
  ],
  [
    "grep -r 'a  $b' src | head -n 3",
    [
      ['grep', '-r', 'a  $b', 'src'],
      ['head', '-n', '3'],
    ],
  ],
  ['echo "a \\"b\\" \\$c \\n"', [['echo', 'a "b" $c \\n']]],
  [`echo foo'bar'"baz"q`, [['echo', 'foobarbazq']]],
  ['find . -name \\*.ts \\( -type f \\)', [['find', '.', '-name', '*.ts', '(', '-type', 'f', ')']]],
  ['ls src/*.ts', [['ls', 'src/*.ts']]],
  ['echo "größe 😀"', [['echo', 'größe 😀']]],
])('%j is understood', async (command, words) => {
  expect(await wordsOf(command)).toEqual(words)
})

test('redirects and folder changes are distinguished', async () => {
  expect(await parseCommand('sort < in.txt > out.txt 2>> err.log 2>&1 && cd sub && gcc -o prog main.c --output=x >/dev/null')).toEqual({
    understood: true,
    commands: [
      { words: ['sort'], text: 'sort' },
      { words: ['cd', 'sub'], text: 'cd sub' },
      { words: ['gcc', '-o', 'prog', 'main.c', '--output=x'], text: 'gcc -o prog main.c --output=x' },
    ],
    writes: ['out.txt', 'err.log'],
    reads: ['in.txt'],
    cwd_changes: true,
  })
  expect(await parseCommand('sort -o ../c < a > /b', '/srv/sub')).toMatchObject({
    writes: ['/b'],
    reads: ['/srv/sub/a'],
  })
  expect(await parseCommand("cat src/*.ts 'a*' b\\*")).toMatchObject({
    commands: [{ words: ['cat', 'src/*.ts', 'a*', 'b*'], patterns: ['src/*.ts'] }],
  })
  expect(await parseCommand('true > ~/notes')).toMatchObject({ understood: true, writes: [join(homedir(), 'notes')] })
})

const never = [
  // The grammar parses the second line as more words of `ls`.
  'ls | ls | ls a\nrm x && ls',
  // Substitution in other forms.
  ...[
    'echo $(id)',
    'echo `id`',
    'git log --grep="$(id)"',
    'git log --grep="`id`"',
    'cat <(id)',
    'tee >(sh)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash syntax.
    'echo ${x@P}',
    'cat$IFS/etc/passwd',
    'echo $HOME',
    'echo "$HOME"',
    'echo $((1+1))',
    "echo $'\\x41'",
    'echo $"x"',
  ],
  // Unusual separators, and parts that run elsewhere.
  ...[
    'git log\rrm x',
    'git log\u2028rm x',
    'git log\u2029rm x',
    'ls & rm x',
    'ls &',
    '(rm x)',
    '{ rm x; }',
    'a |& b',
    '! ls',
    'ls;;',
    'if true; then ls; fi',
    'for i in 1; do ls; done',
    'while :; do :; done',
    'f() { ls; }',
    'ls # harmless',
    'git log \\\n --all',
    'coproc ls',
    'time ls',
    '[[ -f x ]]',
    '[ -f x ]',
    '((x=1))',
  ],
  // Here-documents and strings.
  ...['cat <<EOF\n$(id)\nEOF', "cat <<'EOF'\nx\nEOF", 'cat <<< x'],
  // Commands that change the shell or affect later commands.
  ...[
    'eval ls',
    'source x',
    '. x',
    'exec ls',
    'alias ls=rm',
    'unalias ls',
    'export PAGER=sh',
    'PAGER=sh git log',
    'GIT_SSH_COMMAND=sh git fetch',
    'LD_PRELOAD=x ls',
    'BASH_ENV=x bash',
    'NODE_OPTIONS=x node',
    'PATH=. ls',
    'X=1',
    'declare x=1',
    'readonly x=1',
    'unset x',
    'set -x',
    'shopt -s extglob',
    'trap ls EXIT',
    'command ls',
    'builtin cd',
    'enable x',
    'hash -p x ls',
    'read x',
    'mapfile x',
    'let x=1',
    "printf -v 'a[$(id)]' x",
    "test -v 'a[$(id)]'",
  ],
  // Program names that are not literal.
  ...[
    '*',
    '/bin/l?',
    'l[s]',
    '~/x',
    '~root/x',
    'echo ~root',
    'ls *',
    'ls -l *.ts',
    'echo a{b,c}',
    'echo {1..9}',
    "'git ' status",
    '"" x',
    'x=1',
    'a[1]=2',
    'a+=1',
  ],
  // Redirections to something other than a plain file.
  ...[
    'echo x > *',
    'echo x > out*',
    'echo x > $f',
    'echo x > /dev/tcp/1.2.3.4/80',
    'echo > a b',
    'echo x >& file',
    'echo x {fd}> y',
    'echo x >',
    'cat <> f',
    '> f',
    'ls | > f',
  ],
  // Misleading characters.
  ...[
    'git status\u202e',
    'git sta\u200btus',
    'ls\u00a0-l',
    'ls \u0007',
    'ls \u001b[2K',
    'ls\ufeff',
    'ls \u00ad',
    'ls \u{e0041}',
    'echo \ud800',
    'ls\u3000x',
  ],
  // Where the grammar and bash disagree, found by the properties below.
  ...['echo -2>&1', 'echo "x y"\\a', 'echo ""\\q""a', 'ls | 2>&1', 'ls kw=~', 'ls kw=a:~', 'ls ;&>out', 'ls ;&> out x'],
  // Incomplete.
  ...['', '  \n ', "echo 'x", 'echo "x', 'ls |', '&& ls', 'ls )', 'ls \\'],
  Array.from({ length: 51 }, () => 'true').join('; '),
  `echo ${'x'.repeat(30_000)}`,
]
test.each(never)('%j is not understood', async (command) => {
  expect(await parseCommand(command)).toEqual({ understood: false, reason: expect.stringMatching(/^\S.*\S$/) })
})

test('fifty commands are still understood, and every one is found', async () => {
  const found = await parseCommand(`${Array.from({ length: 49 }, () => 'true').join(';')};rm x`)
  expect(found.understood && found.commands.map(({ words }) => words).slice(-1)).toEqual([['rm', 'x']])
})

test(
  'bash parses the same words',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-words-'))
    const piece = fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        '\\',
        ' ',
        '$',
        '`',
        '!',
        '~',
        '#',
        '=',
        '[',
        ']',
        '*',
        '?',
        '{',
        '}',
        ',',
        ';',
        '|',
        '&',
        '<',
        '>',
        '(',
        ')',
        '\n',
        '\t',
        '-',
        '/',
        '.',
        '%',
        '^',
        '@',
        ':',
        '0',
        '2',
      ),
      fc.constantFrom('a', 'b', 'é', '"x y"', "'x $y'", '\\ ', '\\"', '"\\$"', '"\\q"', '2>&1', '\\\\'),
    )
    let compared = 0
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
          const command = `printf '%s\\0' ${pieces.join('')}`
          const found = await parseCommand(command)
          if (!found.understood || found.commands.length !== 1 || found.writes.length > 0 || found.reads.length > 0) return
          const [, , ...words] = found.commands[0]?.words ?? []
          if (words.some((word) => word.startsWith('~') || word.startsWith('-'))) return
          const said = spawnSync('bash', ['--norc', '-f', '-c', command], {
            cwd: folder,
            encoding: 'utf8',
            env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
            stdio: ['ignore', 'pipe', 'pipe'],
          })
          compared += 1
          expect({ command, said: said.stdout, error: said.stderr }).toEqual({
            command,
            said: words.length > 0 ? words.map((word) => `${word}\0`).join('') : '\0',
            error: '',
          })
        }),
        { numRuns: tries },
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    expect(compared).toBeGreaterThan(20)
  },
  patience,
)

test(
  'bash runs only the commands that were found',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-runs-'))
    // No program exists here, so bash passes every command it would start to this function, which records its words.
    const prologue = 'set -f; PATH=/nowhere; command_not_found_handle() { printf "%s\\0" "$@" $\'\\001\' >&9; }'
    writeFileSync(join(folder, 'prologue'), prologue)
    const piece = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('zq ', 'xj ', 'kw', ' ', '\n', ' && ', ' || ', ' | ', '; ') },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          "'a b'",
          '"c d"',
          '\\ ',
          '>out ',
          '2>&1 ',
          '<prologue ',
          '--x=1',
          '# ',
          '\\\n',
          'zq',
          ';',
          '|',
          '&',
          '>>out',
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          "'",
          '"',
          '\\',
          '$(zq)',
          '`zq`',
          '{zq,xj}',
          '(zq)',
          '<(zq)',
          '<<E\nzq\nE\n',
          '!',
          '$zq',
          '~',
          '=',
          '[',
          '*',
          ';;',
          '|&',
          '&>out ',
          '{ zq; }',
          'zq() ',
          '1',
          '%',
        ),
      },
    )
    let compared = 0
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 10 }), async (pieces) => {
          const command = `zq ${pieces.join('')}`
          const found = await parseCommand(command)
          if (!found.understood) return
          const said = spawnSync('bash', ['--norc', '-f', '-c', command], {
            cwd: folder,
            encoding: 'utf8',
            env: { BASH_ENV: join(folder, 'prologue'), HOME: '/home/nobody', LANG: 'C.UTF-8', PATH: process.env.PATH },
            stdio: ['ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'pipe'],
          })
          const seen = found.commands.map(({ words }) => words.map((word) => word.replace(/^~(?=\/|$)/, '/home/nobody')))
          const ran = String(said.output[9] ?? '')
            .split('\0\u0001\0')
            .filter((line) => line !== '')
            .map((line) => line.split('\0'))
          compared += 1
          for (const words of ran) expect({ command, seen }).toEqual({ command, seen: expect.arrayContaining([words]) })
          expect({ command, ran: ran.length > 0 || found.reads.length > 0 }).toEqual({ command, ran: true })
        }),
        { numRuns: tries },
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    expect(compared).toBeGreaterThan(30)
  },
  patience,
)

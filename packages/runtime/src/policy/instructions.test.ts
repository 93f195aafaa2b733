import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { instructionsOf } from './instructions.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-instructions-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Those in the folder of the test, relative to it; the home folder of this machine has other files. */
async function namesOf(program: Parameters<typeof instructionsOf>[0], cwd = '.'): Promise<readonly string[]> {
  const { files } = await instructionsOf(program, join(folder, cwd))
  return files
    .map(({ path }) => relative(folder, path))
    .filter((path) => !path.startsWith('..'))
    .sort()
}

const digestOf = async (program: Parameters<typeof instructionsOf>[0], cwd = '.') =>
  (await instructionsOf(program, join(folder, cwd))).digest

describe('the table', () => {
  test('npm: package.json of the folder and its parents, the scripts it names, installed programs and their configuration', async () => {
    put({
      'package.json': '{"workspaces":["a"]}',
      '.npmrc': '',
      'a/package.json': JSON.stringify({
        scripts: { test: 'node scripts/test --x && vitest run > out.txt', build: 'make all', lint: 'tool -o made.js "./x y.sh"' },
      }),
      'a/scripts/test.js': '',
      'a/out.txt': '',
      'a/made.js': '',
      'a/src/index.ts': '',
      'a/vitest.config.ts': '',
      'a/Makefile': 'all:\n',
      'node_modules/.bin/vitest': '',
      'node_modules/.bin/other': '',
    })
    const expected = [
      ...['.npmrc', 'a/Makefile', 'a/package.json', 'a/scripts/test.js', 'a/vitest.config.ts', 'node_modules/.bin/vitest'],
      'package.json',
    ]
    expect(await namesOf('npm', 'a')).toEqual(expected)
    mkdirSync(join(folder, 'a/deep'))
    expect(await namesOf('npm', 'a/deep')).toEqual(expected)
    put({ '.yarnrc.yml': '', '.pnpmfile.cjs': '' })
    expect(await namesOf('yarn', 'a')).toContain('.yarnrc.yml')
    expect(await namesOf('pnpm', 'a')).toContain('.pnpmfile.cjs')
  })

  test.each([
    ['npm test --workspaces', { 'package.json': { workspaces: ['packages/*'] } }],
    ['npm test --workspaces', { 'package.json': { workspaces: { packages: ['./packages/**'] } } }],
    ['pnpm -r test', { 'pnpm-workspace.yaml': 'packages:\n  - packages/a\n  - "!packages/b"\n' }],
    ['cd packages/a && npm run build', {}],
    ['npm --prefix=packages/a run build', {}],
  ] as const)('npm: %s also follows the packages that it enters (%j)', async (script, files: Readonly<Record<string, unknown>>) => {
    const { 'package.json': own = {}, ...others } = files as { readonly 'package.json'?: object } & Record<string, string>
    put({
      'package.json': JSON.stringify({ ...own, scripts: { test: script } }),
      'packages/a/package.json': JSON.stringify({ scripts: { test: 'node test.js', build: 'make -Csub' } }),
      'packages/a/test.js': '',
      'packages/a/sub/Makefile': '',
      'packages/a/other.js': '',
      ...others,
    })
    const expected = ['package.json', 'packages/a/package.json', 'packages/a/sub/Makefile', 'packages/a/test.js']
    expect((await namesOf('npm')).filter((name) => name !== 'pnpm-workspace.yaml')).toEqual(expected)
    const before = await digestOf('npm')
    put({ 'packages/a/package.json': '{"scripts":{"test":"evil"}}' })
    expect(await digestOf('npm')).not.toBe(before)
    expect((await instructionsOf('npm', folder)).unclear).toBe(null)
  })

  test('npm: a file of a folder that a script enters', async () => {
    put({ 'package.json': JSON.stringify({ scripts: { test: 'cd tools && node run.js' } }), 'tools/run.js': '' })
    expect(await namesOf('npm')).toEqual(['package.json', 'tools/run.js'])
  })

  test.each(['cd $DIR && npm test', 'npm --prefix `pwd`/a test'])('npm cannot be followed: %s', async (script) => {
    put({ 'package.json': JSON.stringify({ scripts: { test: script } }) })
    expect((await instructionsOf('npm', folder)).unclear).toContain('runs in a folder that is not named')
  })

  test.each([
    ['include a.mk \\\n  b.mk\n', ['a.mk', 'b.mk']],
    ['all:\n\tcd sub && $(MAKE)\n', ['sub/Makefile']],
    ['all:\n\t@rm -f *.o; make -C sub\n', ['sub/Makefile']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the syntax of make.
    ['all:\n\t+${MAKE} --directory=sub all\n', ['sub/Makefile']],
    ['all:\n\t$(MAKE) -f b.mk\n', ['b.mk']],
    ['all:\n\t$(MAKE) other && cmake -C sub\n# make -C $(X)\n', []],
  ])('make follows %j', async (text, names) => {
    put({ Makefile: text, 'a.mk': '', 'b.mk': '', 'sub/Makefile': '' })
    expect(await namesOf('make')).toEqual(['Makefile', ...names])
    expect((await instructionsOf('make', folder)).unclear).toBe(null)
  })

  test('make: the Makefile, what it includes and the folders it enters', async () => {
    put({
      Makefile: 'include a.mk b/b.mk\n-include c.mk\nall:\n\t$(MAKE) -C sub all\n',
      'a.mk': 'include d.mk\n',
      'b/b.mk': '',
      'c.mk': '',
      'd.mk': '',
      'e.mk': '',
      'sub/Makefile': '',
    })
    expect(await namesOf('make')).toEqual(['Makefile', 'a.mk', 'b/b.mk', 'c.mk', 'd.mk', 'sub/Makefile'])
    expect((await instructionsOf('make', folder)).unclear).toBe(null)
  })

  test.each([
    ...['include $(wildcard *.mk)\n', '-include *.d\n', 'all:\n\t$(MAKE) -C $@\n', 'all:\n\tcd $(DIR) && make\n'],
    ...['all:\n\tcd a && cd b && make\n', 'all:\n\tcd a && make -C b\n', '$(foreach x,1,$(eval include $(x).mk))\n'],
  ])('make cannot be followed: %j', async (text) => {
    put({ Makefile: text })
    expect((await instructionsOf('make', folder)).unclear).toContain('which only make can resolve')
  })

  test('git: configuration, hooks and attributes, including those that the configuration refers to', async () => {
    put({
      '.git/HEAD': '',
      '.git/config': '[core]\n\thooksPath = .husky\n\tfsmonitor = tools/watch.sh x\n[include]\n\tpath = more.config\n',
      '.git/more.config': '',
      '.git/hooks/pre-commit': '',
      '.git/hooks/pre-push.sample': '',
      '.git/info/attributes': '',
      '.git/index': '',
      '.gitattributes': '',
      '.gitmodules': '[submodule "lib"]\n\tpath = lib\n',
      '.husky/commit-msg': '',
      'tools/watch.sh': '',
      'lib/.git': 'gitdir: ../.git/modules/lib\n',
      '.git/modules/lib/config': '',
      'sub/.gitattributes': '',
    })
    const expected = [
      ...['.git/config', '.git/hooks/pre-commit', '.git/info/attributes', '.git/modules/lib/config', '.git/more.config', '.gitattributes'],
      ...['.gitmodules', '.husky/commit-msg', 'lib/.git', 'tools/watch.sh'],
    ]
    expect(await namesOf('git')).toEqual(expected)
    expect(await namesOf('git', 'sub')).toEqual([...expected, 'sub/.gitattributes'].sort())
  })

  test('git: hooks of husky and of an included configuration, managers of hooks', async () => {
    put({
      '.git/HEAD': '',
      '.git/config': '[core] hooksPath = .husky/_\n[include] path = ../team.gitconfig\n',
      'team.gitconfig': '[include]path = deep/more.gitconfig\n',
      'deep/more.gitconfig': '[core]hooksPath = tools/hooks\n',
      'tools/hooks/pre-push': '',
      '.husky/_/pre-commit': '',
      '.husky/pre-commit': '',
      '.pre-commit-config.yaml': '',
      'lefthook.yml': '',
    })
    expect(await namesOf('git')).toEqual([
      ...['.git/config', '.husky/_/pre-commit', '.husky/pre-commit', '.pre-commit-config.yaml', 'deep/more.gitconfig', 'lefthook.yml'],
      ...['team.gitconfig', 'tools/hooks/pre-push'],
    ])
  })

  test('git: attributes at any depth, if the configuration has a program that they can select', async () => {
    put({ '.git/config': '[filter "lfs"] clean = git-lfs clean -- %f\n', 'a/b/.gitattributes': '', 'node_modules/.gitattributes': '' })
    expect(await namesOf('git')).toEqual(['.git/config'])
    put({ '.git/config': '[filter "x"] clean = sh clean.sh\n' })
    expect(await namesOf('git')).toEqual(['.git/config', 'a/b/.gitattributes'])
  })

  test('git: a folder that looks like a bare repository counts before the repository around it', async () => {
    put({ '.git/config': '', '.git/HEAD': '', 'sub/a.txt': '' })
    const before = await digestOf('git', 'sub')
    expect(before).toBe(await digestOf('git'))
    put({ 'sub/HEAD': '', 'sub/config': 'evil', 'sub/objects/x': '', 'sub/refs/x': '' })
    expect(await namesOf('git', 'sub')).toEqual(['sub/config'])
    expect(await digestOf('git', 'sub')).not.toBe(before)
  })

  test('cargo and go', async () => {
    put({
      'Cargo.toml': '[workspace]\nmembers = [\n  "crates/*",\n  "tool"\n]\n',
      'crates/a/Cargo.toml': '',
      'crates/a/build.rs': '',
      'crates/a/src/lib.rs': '',
      'tool/Cargo.toml': '',
      '.cargo/config.toml': '',
      'go.mod': '',
    })
    expect(await namesOf('cargo', 'crates/a')).toEqual([
      ...['.cargo/config.toml', 'Cargo.toml', 'crates/a/Cargo.toml', 'crates/a/build.rs', 'tool/Cargo.toml'],
    ])
    expect(await namesOf('go', 'tool')).toEqual(['go.mod'])
  })
})

test('the digest changes with content, mode, links and new files, and with nothing else', async () => {
  put({ 'package.json': '{"scripts":{"test":"sh run.sh"}}', 'run.sh': 'true', 'other.js': '1' })
  const seen = [await digestOf('npm')]
  put({ 'other.js': '2' })
  expect(await digestOf('npm')).toBe(seen[0])
  const steps = [
    () => put({ 'run.sh': 'false' }),
    () => chmodSync(join(folder, 'run.sh'), 0o755),
    () => put({ '.npmrc': 'script-shell=/x' }),
    () => rmSync(join(folder, 'run.sh')),
    () => symlinkSync('other.js', join(folder, 'run.sh')),
  ]
  for (const step of steps) {
    step()
    seen.push(await digestOf('npm'))
  }
  expect(new Set(seen).size).toBe(seen.length)
})

test('a file that cannot be read in full is not ignored', async () => {
  put({ 'package.json': JSON.stringify({ scripts: {}, filler: 'x'.repeat(3_000_000) }) })
  expect((await instructionsOf('npm', folder)).unclear).toBe(`${join(folder, 'package.json')} is too large to read`)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isExecutedByOthers, protectedPathNames } from './executed-files.ts'

test.each([
  '/home/me/.bashrc',
  '/srv/.git/hooks/pre-commit',
  '/srv/.GIT/Hooks/post-merge',
  '/srv/sub/.git/config',
  '/srv/.mcp.json',
  '/srv/skills/pdf/SKILL.md',
  '/srv/.vscode/tasks.json',
  '/home/me/.ssh/authorized_keys',
  '/srv/.github/workflows/ci.yml',
  '/srv/.git',
  '/srv/.git/modules/a/hooks/x',
  '/srv/.github',
  '/home/me/.config',
  '/home/me/.tandem/settings.json',
  '/home/me/.tandem/copies/01990000-0000-7000-8000-000000000001/base.json',
  '/home/me/.tandem/skill-copies/pdf/scripts/fill.py',
  '/home/me/.tandem/copies/01990000-0000-7000-8000-000000000001/files/.git/hooks/pre-commit',
  '/home/me/.tandem/copies/01990000-0000-7000-8000-000000000001/files/.tandem/settings.json',
  '/srv/.git/hooks/.tandem/copies/01990000-0000-7000-8000-000000000001/files/pre-commit',
  'C:\\Users\\me\\.gitconfig',
  ...['.envrc', '.pre-commit-config.yaml', '.devcontainer', '.devcontainer/devcontainer.json', 'tests/conftest.py', '.gitlab-ci.yml'],
  ...['AGENTS.md', 'CLAUDE.md', 'sub/GEMINI.md', '.github/copilot-instructions.md', '.windsurfrules', '.clinerules', '.roo/rules/a.md'],
  ...['.cursorrules', '.aider.conf.yml', '.junie/guidelines.md', 'opencode.json'],
])('other programs run %s', (path) => expect(isExecutedByOthers(path)).toBe(true))

test.each([
  '/srv/src/hooks/use.ts',
  '/srv/git/config',
  '/srv/README.md',
  '/srv/bashrc',
  '/srv/.github/ISSUE_TEMPLATE.md',
  '/srv/package.json',
  '/srv/etc',
  '/home/me/.config/app/settings.json',
  '/home/me/.tandem/copies/01990000-0000-7000-8000-000000000001/files/src/index.ts',
  '/home/me/.tandem/skill-copies/0123456789abcdef/pdf/scripts/fill.py',
])('other programs do not run %s', (path) => expect(isExecutedByOthers(path)).toBe(false))

test('every file that commands cannot change is in the table', () => {
  expect(protectedPathNames.filter((path) => !isExecutedByOthers(`/srv/${path}`))).toEqual([])
  expect(protectedPathNames).toEqual(expect.arrayContaining(['.npmrc', '.git/hooks', '.mcp.json', '.tandem', '.codex']))
  expect(protectedPathNames).not.toContain('.git')
})

test('a name counts as a whole, at any depth and in any case', () => {
  const part = fc.constantFrom('src', 'a.md', 'etc', 'hooks', '.config', '.github', 'config', '.gitx')
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 4 }),
      fc.constantFrom(...protectedPathNames),
      fc.array(part, { maxLength: 3 }),
      (above, name, below) => {
        const path = (inner: string) => `/${[...above, inner, ...below].join('/')}`
        expect(isExecutedByOthers(path(name))).toBe(true)
        expect(isExecutedByOthers(path(name.toUpperCase()))).toBe(true)
        expect(isExecutedByOthers(`/srv/x${name}x`)).toBe(false)
      },
    ),
  )
})

import { expect, test } from 'vitest'
import { frozenForCommands, givesPower } from './power.ts'

test.each([
  '/home/me/.bashrc',
  '/work/.git/hooks/pre-commit',
  '/work/.GIT/Hooks/post-merge',
  '/work/sub/.git/config',
  '/work/.mcp.json',
  '/work/skills/pdf/SKILL.md',
  '/work/.vscode/tasks.json',
  '/home/me/.ssh/authorized_keys',
  '/work/.github/workflows/ci.yml',
  '/work/.git',
  '/work/.git/modules/a/hooks/x',
  '/work/.github',
  '/home/me/.config',
  'C:\\Users\\me\\.gitconfig',
])('%s gives power', (path) => expect(givesPower(path)).toBe(true))

test.each([
  '/work/src/hooks/use.ts',
  '/work/git/config',
  '/work/README.md',
  '/work/bashrc',
  '/work/.github/ISSUE_TEMPLATE.md',
  '/work/package.json',
  '/work/etc',
  '/home/me/.config/app/settings.json',
])('%s does not', (path) => expect(givesPower(path)).toBe(false))

test('whatever commands are kept from gives power', () => {
  expect(frozenForCommands.filter((path) => !givesPower(`/work/${path}`))).toEqual([])
  expect(frozenForCommands).toEqual(expect.arrayContaining(['.npmrc', '.git/hooks', '.mcp.json', '.tandem', '.codex']))
  expect(frozenForCommands).not.toContain('.git')
})

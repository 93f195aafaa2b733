import { expect, test } from 'vitest'
import { givesPower } from './power.ts'

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
  'C:\\Users\\me\\.gitconfig',
])('%s gives power', (path) => expect(givesPower(path)).toBe(true))

test.each([
  '/work/src/hooks/use.ts',
  '/work/git/config',
  '/work/README.md',
  '/work/bashrc',
  '/work/.github/ISSUE_TEMPLATE.md',
  '/work/package.json',
])('%s does not', (path) => expect(givesPower(path)).toBe(false))

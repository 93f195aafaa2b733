// Completion as a user has it: the script is loaded by a real shell in a real terminal, and Tab is pressed.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useTerminals } from './support/test-tmux.ts'

const bin = fileURLToPath(new URL('../bin/tandem.js', import.meta.url))
const patience = { timeout: 30_000 }

/** How each shell starts without the settings of the user, what it needs before the script, and the keys that list all possibilities. */
const shells = {
  bash: { args: ['--norc', '--noprofile', '-i'], prompt: "PS1='> '", before: 'true', tabs: ['Tab', 'Tab'] },
  zsh: { args: ['-f', '-i'], prompt: "PS1='> '", before: 'autoload -U compinit; compinit -u -D', tabs: ['Tab'] },
  fish: { args: ['--no-config', '-i'], prompt: "function fish_prompt; echo '> '; end", before: 'true', tabs: ['Tab'] },
}

const open = useTerminals()
let folder: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-completion-')))
  mkdirSync(join(folder, 'work'))
  writeFileSync(join(folder, 'work', 'some-file.txt'), '')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.each(Object.entries(shells))('tandem completion in %s', (shell, { args, prompt, before, tabs }) => {
  const isInstalled = spawnSync(shell, ['--version']).status === 0

  test.skipIf(!isInstalled)(
    `completes commands, actions, options and files${isInstalled ? '' : `: ${shell} is not installed`}`,
    async () => {
      const script = join(folder, `completion.${shell}`)
      writeFileSync(script, spawnSync(process.execPath, [bin, 'completion', shell], { encoding: 'utf8' }).stdout)
      const terminal = open(args, { cwd: join(folder, 'work'), env: { HOME: folder }, program: shell })
      terminal.type(`${prompt}; ${before}; source ${script}; echo re''ady`)
      terminal.press('Enter')
      await terminal.sees(/^ready$/m)

      async function completed(typed: string, shown: RegExp): Promise<string> {
        /** From where it was typed on; no earlier line begins like it. */
        const result = () => /^> tandem.*/ms.exec(terminal.screen().slice(terminal.screen().indexOf(`> ${typed}`)))?.[0] ?? ''
        terminal.press('C-u', 'C-l')
        terminal.type(typed)
        await expect.poll(result, patience).toContain(`> ${typed}`)
        terminal.press(...tabs)
        await expect.poll(result, patience).toMatch(shown)
        return result()
      }

      await completed('tandem conv', /^> tandem conversations/)
      await completed('tandem vers', /^> tandem version/)
      expect(await completed('tandem kb re', /reindex\s+remove\s+rename/)).not.toContain('some-file')
      await completed('tandem kb rei', /^> tandem kb reindex/)
      await completed('tandem run --output-', /^> tandem run --output-schema/)
      await completed('tandem run --attach some', /^> tandem run --attach some-file\.txt/)
      expect(await completed('tandem kb add so', /some-file\.txt/)).not.toContain('remove')
    },
  )
})

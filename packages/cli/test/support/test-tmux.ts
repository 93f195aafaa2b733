// `tandem` in a real terminal: tmux types the keys and reads the screen.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect } from 'vitest'

const bin = fileURLToPath(new URL('../../bin/tandem.js', import.meta.url))
const patience = { timeout: 30_000, interval: 100 }

export interface TestTerminal {
  /** Keys by the names that tmux gives them, such as Enter or C-c. */
  press(...keys: string[]): void
  /** Letter by letter, as it is. */
  type(text: string): void
  /** As a terminal pastes it: in brackets. */
  paste(text: string): void
  /** What is visible, and everything that scrolled away. */
  screen(): string
  /** The same with colors. */
  colored(): string
  sees(text: string | RegExp): Promise<void>
  seesNot(text: string): Promise<void>
  resize(columns: number, rows: number): void
  /** Waits for its end; its exit code. */
  exited(): Promise<number>
}

export interface TerminalOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly columns?: number
  readonly rows?: number
  /** Another program than `tandem`, such as a shell. */
  readonly program?: string
}

/** Terminals that are closed after each test of the file. */
export function useTerminals(): (args: readonly string[], options: TerminalOptions) => TestTerminal {
  const open: { stop(): void }[] = []
  afterEach(() => {
    for (const one of open.splice(0)) one.stop()
  })
  return (args, options) => {
    const { terminal, stop } = openTerminal(args, options)
    open.push({ stop })
    return terminal
  }
}

function openTerminal(args: readonly string[], { cwd, env, columns = 100, rows = 40, program }: TerminalOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-tmux-'))
  const socket = join(folder, 'tmux')
  const { PATH, HOME } = process.env
  const tmux = (...words: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      env: { PATH, HOME, TMPDIR: tmpdir(), LANG: 'C.UTF-8', TERM: 'xterm-256color', ...env },
    })
  const size = ['-x', String(columns), '-y', String(rows)]
  const command = program === undefined ? [process.execPath, bin] : [program]
  const quoted = [...command, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  // The options apply before the command runs: what it printed stays readable after its end.
  tmux('new-session', '-d', '-s', 'main', ...size, '-c', cwd, 'sleep 600')
  tmux('set-option', '-g', 'remain-on-exit', 'on')
  tmux('set-option', '-g', 'history-limit', '5000')
  const exitCode = join(folder, 'exit-code')
  tmux('respawn-pane', '-k', '-t', 'main', '-c', cwd, `${quoted}; echo $? > '${exitCode}'`)
  const captured = (...flags: string[]) => tmux('capture-pane', '-p', '-J', '-S', '-', ...flags, '-t', 'main')
  const terminal: TestTerminal = {
    press: (...keys) => void tmux('send-keys', '-t', 'main', ...keys),
    type: (text) => void tmux('send-keys', '-t', 'main', '-l', '--', text),
    paste(text) {
      tmux('set-buffer', '--', text)
      tmux('paste-buffer', '-p', '-t', 'main')
    },
    screen: () => captured(),
    colored: () => captured('-e'),
    sees: async (text) => void (await expect.poll(() => captured(), patience).toMatch(text)),
    seesNot: async (text) => void (await expect.poll(() => captured(), patience).not.toContain(text)),
    resize: (width, height) => void tmux('resize-window', '-t', 'main', '-x', String(width), '-y', String(height)),
    async exited() {
      // tmux itself does not always know it when the terminal is closed.
      const code = () => (existsSync(exitCode) ? readFileSync(exitCode, 'utf8') : '')
      await expect.poll(code, patience).toMatch(/^\d+\n/)
      return Number(code())
    },
  }
  return {
    terminal,
    stop() {
      spawnSync('tmux', ['-S', socket, 'kill-server'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

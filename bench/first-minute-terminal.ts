// What a new user does in a terminal: set the model, open a conversation, send a message, approve a change. With the real keys, in tmux.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstTask } from './first-minute-model.ts'
import { type StepClock, until } from './first-minute-steps.ts'

export interface TerminalVisit {
  /** How the user starts it: `npx tandem`. */
  readonly program: string
  /** The shell starts here; the agent works in `workspace`. */
  readonly cwd: string
  readonly workspace: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Of the model. */
  readonly address: string
  /** What the terminal shows at each step is saved in this folder. */
  readonly pictures?: string | undefined
}

export async function visitTerminal(visit: TerminalVisit, clock: StepClock): Promise<void> {
  const { program, workspace, address, pictures } = visit
  const terminal = openShell(visit)
  const look = (name: string) => () => {
    if (pictures !== undefined) writeFileSync(`${pictures}/terminal-${clock.steps.length}-${name}.txt`, terminal.screen())
  }
  const sees = (text: string) => until(() => terminal.screen().includes(text), `the terminal shows "${text}":\n${terminal.screen()}`)
  try {
    // The shell itself is not part of it.
    terminal.enter('echo re""ady')
    await sees('\nready')
    await clock.done('shell ready')
    terminal.enter(`${program} config set model_base_url ${address}`)
    terminal.enter(`${program} config set default_model ${firstTask.model} && echo model sa""ved`)
    await sees('model saved')
    await clock.done('model set up', look('model'))

    terminal.enter(`${program} chat --workspace '${workspace}'`)
    await sees(`${firstTask.model} ·`)
    await clock.done('composer shown', look('composer'))

    terminal.enter(firstTask.message)
    await sees(`› ${firstTask.message}`)
    await clock.done('message sent', look('sent'))

    await sees(firstTask.answer)
    await clock.done('first words of the answer', look('answer'))

    await sees(`Create ${firstTask.file}?`)
    look('approval')()
    terminal.type('y')
    await until(() => existsSync(join(workspace, firstTask.file)), `${firstTask.file} is written`)
    await clock.done('file changed after approval', look('changed'))
  } finally {
    terminal.close()
  }
}

function openShell({ cwd, environment }: TerminalVisit) {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-shell-'))
  const socket = join(folder, 'tmux')
  const tmux = (...words: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      env: { LANG: 'C.UTF-8', TERM: 'xterm-256color', ...environment },
    })
  tmux('new-session', '-d', '-s', 'main', '-x', '110', '-y', '40', '-c', cwd, 'bash --norc --noprofile')
  const type = (text: string) => void tmux('send-keys', '-t', 'main', '-l', '--', text)
  return {
    type,
    enter(text: string) {
      type(text)
      tmux('send-keys', '-t', 'main', 'Enter')
    },
    screen: () => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', 'main'),
    close() {
      spawnSync('tmux', ['-S', socket, 'kill-server'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// The first minute of a new user, in the window and in a terminal: from the first command in a fresh clone to the first changed file.
// Everything is done without thinking or reading, so this is the part of the minute that Tandem takes.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { launchChromium } from '../e2e/chromium.ts'
import { npmStart } from '../e2e/fresh-clone.ts'
import type { Bench, BenchRow } from './bench.ts'
import { type NewUser, newUser } from './first-minute-clone.ts'
import { firstTask, startFirstModel } from './first-minute-model.ts'
import { type Step, startSteps } from './first-minute-steps.ts'
import { visitTerminal } from './first-minute-terminal.ts'
import { visitWindow } from './first-minute-window.ts'

/** A folder for pictures of each step. */
const pictures = process.env.TANDEM_FIRST_MINUTE_PICTURES

export const bench: Bench = {
  name: 'first-minute',
  summary: 'from the first command in a fresh clone to the first changed file, seconds since that command',
  async run(progress) {
    if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
    progress('cloning and installing')
    const user = newUser()
    try {
      progress('npm start and the window')
      const inWindow = await firstWindow(user)
      progress('npm start again')
      const again = await secondStart(user)
      progress('the terminal')
      const inTerminal = await firstTerminal(user)
      return [
        measured('git clone', user.cloned),
        measured('npm ci, packages from the cache of npm', user.installed),
        ...rowsOf('npm start', inWindow),
        ...rowsOf('second npm start', again).map(untargeted),
        ...rowsOf('terminal', inTerminal),
      ]
    } finally {
      user.remove()
    }
  },
}

/** The last step has the target; the others show where the time goes. */
export function rowsOf(where: string, steps: readonly Step[]): BenchRow[] {
  return steps.map(({ name, seconds }, at) => {
    const row = measured(`${where}: ${name}`, seconds)
    return at === steps.length - 1 ? { ...row, target: 'under 60 s', met: seconds < 60 } : row
  })
}

function measured(metric: string, seconds: number): BenchRow {
  return { metric, unit: 's', better: 'lower', ours: seconds, peers: {}, limit: null, target: null, met: null }
}

function untargeted(row: BenchRow): BenchRow {
  return { ...row, target: null, met: null }
}

async function firstWindow({ home, clone, environment }: NewUser): Promise<readonly Step[]> {
  const browser = await launchChromium()
  const model = await startFirstModel()
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const clock = startSteps()
  const started = await npmStart(clone, environment)
  try {
    await clock.done('address printed')
    // Where the window suggests to work: never in the clone.
    const file = join(home, 'Tandem', firstTask.file)
    await visitWindow({ page, url: started.url, address: model.base_url, file, pictures }, clock)
    return clock.steps
  } finally {
    await browser.close()
    await started.interrupt()
    await model.close()
  }
}

async function secondStart({ clone, environment }: NewUser): Promise<readonly Step[]> {
  const browser = await launchChromium()
  const page = await browser.newPage()
  const clock = startSteps()
  const started = await npmStart(clone, environment)
  try {
    await clock.done('address printed')
    await page.goto(started.url)
    await page.getByRole('heading', { name: 'What can I help with?' }).waitFor()
    await clock.done('page painted')
    return clock.steps
  } finally {
    await browser.close()
    await started.interrupt()
  }
}

/** As somebody who only uses the terminal: nothing of the window is there. */
async function firstTerminal({ home, clone, environment }: NewUser): Promise<readonly Step[]> {
  const model = await startFirstModel()
  const workspace = join(home, 'work')
  mkdirSync(workspace)
  const clock = startSteps()
  try {
    const settings = { ...environment, TANDEM_HOME: join(home, 'terminal') }
    const visit = { program: 'npx tandem', cwd: clone, workspace, environment: settings, address: model.base_url, pictures }
    await visitTerminal(visit, clock)
    return clock.steps
  } finally {
    await model.close()
  }
}

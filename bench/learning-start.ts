// A start after many runs have ended meanwhile: until when all of them were learned from, and how long other work had to wait.
// Usage: node learning-start.ts runtime|learning HOME WORKSPACE RUNS
import type { Bus } from '../packages/runtime/src/event/bus.ts'
import { openRuntime } from '../packages/runtime/src/runtime.ts'
import { openLearningDevice } from './learning-device.ts'

/** `learning`: without the other features that listen to the end of a run. */
export type StartSubject = 'runtime' | 'learning'

export interface MeasuredStart {
  readonly seconds: number
  /** Processor time of the main thread between two turns of its event loop, in milliseconds. */
  readonly longest_turn: number
}

const [subject = '', home = '', workspace = '', runs = '0'] = process.argv.slice(2)
const began = performance.now()
const { bus, stop } = subject === 'runtime' ? startRuntime() : startLearning()
const turns = watchTurns()
await learned(bus, Number(runs))
const measured: MeasuredStart = { seconds: (performance.now() - began) / 1_000, longest_turn: turns.longest() }
await stop()
process.send?.(measured)

function startRuntime(): { readonly bus: Bus; stop(): Promise<void> } {
  return openRuntime({ home, workspace, environment: { TANDEM_MEMORY_MODEL: 'off' }, log: (line) => console.error(line) })
}

function startLearning(): { readonly bus: Bus; stop(): Promise<void> } {
  const device = openLearningDevice(home)
  device.listen()
  return { bus: device.bus, stop: device.close }
}

function learned(from: Bus, count: number): Promise<void> {
  let left = count
  return new Promise((resolve) => {
    from.subscribe('event', ({ event }) => {
      if (event !== 'outcome_scored') return
      left -= 1
      if (left === 0) resolve()
    })
  })
}

/** What nothing could interrupt. Not the time that other processes took. */
function watchTurns(): { longest(): number } {
  let [longest, last] = [0, process.threadCpuUsage()]
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    longest = Math.max(longest, (user + system) / 1_000)
    setImmediate(turn).unref()
  }
  setImmediate(() => {
    last = process.threadCpuUsage()
    turn()
  })
  return { longest: () => longest }
}

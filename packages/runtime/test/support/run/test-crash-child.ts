// A runtime for the crash tests: it kills itself with SIGKILL at the given crash point, and otherwise completes the run.
// usage: node test-crash-child.ts HOME BASE_URL [PLACE:TIMES] [WORDS]
import { kill, pid } from 'node:process'
import { type CrashPlace, runProcess } from './test-crash-run.ts'

const [home = '', base_url = '', fate = '', words] = process.argv.slice(2)
const passed = new Map<CrashPlace, number>()

await runProcess({
  home,
  base_url,
  ...(words === undefined ? {} : { words }),
  reach(place) {
    const times = (passed.get(place) ?? 0) + 1
    passed.set(place, times)
    if (fate === `${place}:${times}`) kill(pid, 'SIGKILL')
  },
})

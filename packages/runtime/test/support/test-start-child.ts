// A runtime that only starts: the tests of a killed start kill it during that.
// usage: node start-child.ts HOME WORKSPACE WINDOW
import { openRuntime, startRuntime } from '../../src/runtime.ts'

const [home = '', workspace = '', windowDir = ''] = process.argv.slice(2)
const log = (line: string) => console.error(line)
process.stdout.write('begin\n')
const runtime = openRuntime({ home, workspace, environment: {}, log })
await startRuntime({ windowDir, runtime, log })
process.stdout.write('open\n')

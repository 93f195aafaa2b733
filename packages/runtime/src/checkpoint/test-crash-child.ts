// Does one thing with checkpoints and kills itself at a named point of it. Arguments: folder, action, point, which of its occurrences.
import { cursorAt, openBench, recorded } from './test-checkpoints.ts'

const [, , folder = '', action = '', point = '', occurrence = '1'] = process.argv
let left = Number(occurrence)

function pass(name: string): void {
  if (name !== point) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

const bench = openBench({ folder, crashpoint: pass })
const { items } = bench.checkpoints.list(cursorAt(0, bench.work).run_id, null, {})
const oldest = items.at(-1)?.checkpoint_id ?? ''
if (action === 'take') await bench.take([{ does: 'execute', command: 'true', cwd: bench.work, language: 'shell' }])
if (action === 'restore') await bench.checkpoints.restore(oldest, 'stop', cursorAt(50, bench.work))
if (action === 'recover') await bench.checkpoints.recover(recorded(bench.store, pass))
if (action === 'retain') await bench.checkpoints.retain()
process.stdout.write('survived')
process.exit(0)

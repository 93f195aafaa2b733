// Does one action with checkpoints and kills itself at a crash point. Arguments: folder, action, point, which of its occurrences.
import { bash, cursorAt, openCheckpointTest, recorded } from './test-checkpoints.ts'
import { backgroundChanges, cloneByCopy, runChanges } from './test-crashpoints.ts'

const [, , folder = '', action = '', point = '', occurrence = '1'] = process.argv
let left = Number(occurrence)
let armed = !['settle', 'background', 'close'].includes(action)

function pass(name: string): void {
  if (!armed || name !== point) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

const bench = openCheckpointTest({ folder, clone: cloneByCopy, crashpoint: pass })
const { items } = bench.checkpoints.list(cursorAt(0, bench.work).run_id, null, {})
const oldest = items.at(-1)?.checkpoint_id ?? ''
const take = () => bench.take([{ does: 'execute', command: 'true', cwd: bench.work, language: 'shell' }])
if (action === 'take' || action === 'clone') await take()
if (action === 'settle') {
  const id = await take()
  bash(runChanges, bench.work)
  armed = true
  await bench.checkpoints.settle(id)
}
if (action === 'background' || action === 'close') {
  const id = await take()
  bash(runChanges, bench.work)
  armed = action === 'background'
  await bench.checkpoints.leaveOpen(id, [])
  bash(backgroundChanges, bench.work)
  armed = true
  await bench.checkpoints.closePoint(id, 'yes', () => undefined)
}
if (action === 'restore') await bench.checkpoints.restore(oldest, 'stop', cursorAt(50, bench.work))
if (action === 'recover') await bench.checkpoints.recover(recorded(bench.store, pass))
if (action === 'retain') await bench.checkpoints.retain()
process.stdout.write('survived')
process.exit(0)

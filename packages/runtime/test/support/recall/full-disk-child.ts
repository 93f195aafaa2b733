// Recall on a disk that fills up: reports what was found before, while it was full, and after space was freed.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { note, openTestRecall } from './test-recall.ts'

const home = process.argv[2] ?? ''
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', home])
const here = openTestRecall({ home })
const found = async () => {
  const { hits } = await here.recall.search({ scope: ['notes/a'], query: 'boat', k: 50, patience_ms: 5_000 })
  return hits.map(({ id }) => id).sort()
}
here.write([note('1', 'the boat is green')])
const before = await found()
const words = (note: number) => Array.from({ length: 3_000 }, (_, no) => `word${note}x${no}`).join(' ')
here.write(Array.from({ length: 6 }, (_, no) => note(`2${no}`, `boat number ${no} ${words(no)}`)))
const outcome = (work: Promise<void>) =>
  work.then(
    () => 'indexed',
    () => 'failed',
  )
/** Uses up the remaining space, so that the index cannot grow. */
const filler = join(home, 'filler')
function fill(): void {
  let size = 3 * 1024 * 1024
  while (size > 512) {
    try {
      writeFileSync(filler, Buffer.alloc(size, 1), { flag: 'a' })
    } catch {
      size = Math.floor(size / 2)
    }
  }
}
fill()
const full = await outcome(here.recall.settled())
const during = await found()
rmSync(filler)
await here.recall.settled()
const after = await found()
// A rebuild begins with an empty file, whose space is taken at once.
const rebuilding = outcome(here.recall.rebuild())
const taking = setInterval(fill, 0)
const rebuilt = await rebuilding
clearInterval(taking)
rmSync(filler)
await here.recall.settled()
const afterRebuild = await found()
console.log(JSON.stringify({ before, full, during, after, rebuilt, afterRebuild, problem: (await here.recall.state()).problem }))
await here.stop()
execFileSync('umount', ['-l', home])

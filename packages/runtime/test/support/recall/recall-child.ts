// A process that indexes, embeds and rebuilds endlessly, to be killed. It reports what it begins, and how many notes it has written.
import { letterModel, note, openTestRecall } from './test-recall.ts'

const [, , home = '', from = '0'] = process.argv
// Neither the thread nor the timers of recall keep a process alive. Nor should it live for ever.
setTimeout(() => process.exit(1), 100_000)
let no = Number(from)
const report = (what: string) => void process.stdout.write(`${what} ${no}\n`)
const here = openTestRecall({ home, isEmbedded: true, model: letterModel(() => report('embedding')) })
here.choose('model', 'letters')

for (; ; no += 1) {
  const id = `n${String(no).padStart(6, '0')}`
  here.write([note(id, `note number ${no} about the ${no % 2 === 0 ? 'green' : 'blue'} boat`, { group: `g${no % 5}`, at: no })])
  if (no % 7 === 6) here.write([], [`n${String(no - 3).padStart(6, '0')}`])
  if (no % 10 === 9) report('indexing')
  if (no % 10 === 9) await here.recall.settled()
  if (no % 40 === 39) report('rebuilding')
  if (no % 40 === 39) await here.recall.rebuild()
}

// One of two processes on the same index. It writes, changes, removes, embeds and searches at once, and reports what it has not found.
import { once } from 'node:events'
import { RecallIndex } from '../../../src/recall/index/recall-index.ts'
import { note } from './test-recall.ts'

const [, , path = '', name = '', count = '0', ...queries] = process.argv
const index = new RecallIndex(path)
const put = (texts: ReturnType<typeof note>[], removed: string[] = []) => index.apply({ space: 'notes', texts, removed })
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const missed: string[] = []
for (let no = 0; no < Number(count); no += 1) {
  const id = `${name}${no}`
  const own = `${name}word${no}`
  put([note(id, `the ${own} is about the boat`, { group: `g${no % 3}`, at: no })])
  if (no % 5 === 4) put([note(`${name}${no - 2}`, 'the boat was changed', { group: 'g0', at: no })])
  if (no % 7 === 6) put([], [`${name}${no - 4}`])
  if (no % 3 === 0) {
    const texts = index.unembedded('m', ['notes'], 4)
    index.putVectors(
      'm',
      texts.map((one) => ({ ...one, vector: Float32Array.from([1, one.text.length]) })),
    )
  }
  index.search({ scope: ['notes/a'], query: own }, { model: 'm', vector: Float32Array.from([1, no]) })
  const [hit] = index.search({ scope: ['notes/a'], query: own }, null).hits
  if (hit?.id !== id) missed.push(id)
}
process.stdout.write(`${JSON.stringify(missed)}\n`)
// When both have ended: what this one finds then, with what it has in memory.
await once(process.stdin, 'data')
const answers = queries.map((query) => index.search({ scope: ['notes/a'], query, k: 200 }, null).hits)
process.stdout.write(`${JSON.stringify(answers)}\n`)
index.close()
process.exit(0)

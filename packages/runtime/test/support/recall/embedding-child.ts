// A process that embeds everything again with the named model, to be killed while it waits for a batch of it. It reports each batch.
import { letterModel, openTestRecall } from './test-recall.ts'

const [, , home = '', chosen = '', batches = '0'] = process.argv
// Keeps it alive until it is killed, but not for ever.
setTimeout(() => process.exit(1), 100_000)
let batch = 0
const model = letterModel(async (name) => {
  batch += 1
  process.stdout.write(`${name}\n`)
  if (batch === Number(batches)) await new Promise(() => undefined)
})
const here = openTestRecall({ home, isEmbedded: true, model })
here.choose('model', chosen)
await here.recall.settled()
process.stdout.write('settled\n')
process.exit(1)

// Orama in a process of its own, with limited memory and time: the times of its searches over many texts.
import { quantile } from './bench.ts'
import { manyTexts, queriesFor } from './recall-data.ts'
import { oramaAt } from './recall-peers.ts'

const [, , folder = '', size = '0'] = process.argv
const texts = manyTexts(Number(size))
const { open } = await oramaAt(folder)
const searcher = await open(texts)
const took: number[] = []
for (const query of queriesFor(texts)) {
  const from = performance.now()
  await searcher.search(query, 10)
  took.push(performance.now() - from)
}
console.log(JSON.stringify({ p50: quantile(took.slice(10), 0.5), p99: quantile(took.slice(10), 0.99) }))

import { simulate } from './test-simulation.ts'

const [from = 0, to = 0] = process.argv.slice(2).map(Number)
const until = performance.now() + Number(process.argv[4] ?? 600) * 1000
let bad = 0
let seed = from
for (; seed < to && performance.now() < until; seed++) {
  const f = await simulate(seed)
  if (f) {
    bad++
    if (bad <= 5) console.log(f)
  }
}
console.log(bad, 'faults of', seed - from)

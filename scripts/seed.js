// Properties draw the same cases in every run, so what was green stays green and what failed fails again.
// TANDEM_SEED=random, or a number, draws others: `npm run test:seeds`.
import fc from 'fast-check'

const wanted = process.env.TANDEM_SEED ?? '20260301'
const seed = wanted === 'random' ? Math.trunc(Math.random() * 2 ** 31) : Number(wanted)
if (!Number.isSafeInteger(seed)) throw new Error(`TANDEM_SEED is ${wanted}: give a whole number, or random.`)
process.env.TANDEM_SEED = String(seed)
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })

// Properties draw the same cases in every run, so what was green stays green and what failed fails again.
// TANDEM_SEED=NUMBER draws others; `npm run test:seeds` draws a new number and prints it.
import fc from 'fast-check'

const wanted = process.env.TANDEM_SEED ?? '20260301'
const seed = Number(wanted)
if (!Number.isSafeInteger(seed)) throw new Error(`TANDEM_SEED is ${wanted}: give a whole number.`)
process.env.TANDEM_SEED = String(seed)
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })

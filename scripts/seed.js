// Property tests use the same cases in every run, so that a passing run keeps passing and a failing one fails again.
// TANDEM_SEED=NUMBER uses others; `npm run test:seeds` uses a new number and prints it.
import fc from 'fast-check'

const wanted = process.env.TANDEM_SEED ?? '20260301'
const seed = Number(wanted)
if (!Number.isSafeInteger(seed)) throw new Error(`TANDEM_SEED is ${wanted}: give a whole number.`)
process.env.TANDEM_SEED = String(seed)
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })

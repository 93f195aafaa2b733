// Prepares a clone for the command that is about to run, and prints what it does. Plain JavaScript: it runs on any Node the machine has,
// before anything is installed. Fast if nothing is missing.

import { bundleProgram, bundleTypebox, packProgram } from './setup/bundle.js'
import { installHostPackages } from './setup/host.js'
import { install } from './setup/install.js'
import { withLock } from './setup/lock.js'
import { buildWindow } from './setup/window.js'

const needs = {
  start: { packages: 'production', window: true, bundle: true, host: 'wanted' },
  test: { packages: 'everything', window: true, bundle: true, host: 'required' },
  check: { packages: 'everything', window: false, bundle: false, host: 'none' },
  server: { packages: 'production', window: false, bundle: true, host: 'none' },
  bench: { packages: 'everything', window: true, bundle: true, host: 'required' },
  pack: { packages: 'production', window: true, bundle: false, pack: true, host: 'none' },
}

const purpose = process.argv[2] ?? ''
const need = needs[purpose]
if (!need) fail(`setup.js takes one of ${Object.keys(needs).join(', ')}, not "${purpose}"`)

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(`Node ${process.versions.node} is too old: install Node 20 or later. Tandem then installs Node 26 for itself`)
}

try {
  await withLock(async (run) => {
    await install(need.packages, run)
    if (need.bundle) bundleTypebox()
    if (need.bundle) bundleProgram()
    if (need.window) buildWindow()
    if (need.pack) packProgram()
    installHostPackages(need.host)
  }, `npm run ${purpose}`)
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}

function fail(reason) {
  console.error(`tandem: ${reason}`)
  process.exit(1)
}

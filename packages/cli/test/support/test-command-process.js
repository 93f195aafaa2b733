// Runs the `tandem` commands it is sent, one after the other: starting a process takes longer than most commands.
import { enableCompileCache } from 'node:module'
import { bundledProgram } from '../../bin/program.js'
import { useTypeboxBundle } from '../../bin/typebox-bundle.js'

enableCompileCache()
const bundle = bundledProgram()
if (!bundle) useTypeboxBundle()
const program = bundle ?? new URL('../../src/main.ts', import.meta.url).href
const { exit } = process
let commands = 0
let out = { stdout: '', stderr: '' }

for (const name of ['stdout', 'stderr']) process[name].write = (chunk, ...rest) => written(name, chunk, rest)
process.on('warning', ({ name, message }) => written('stderr', `(node) ${name}: ${message}\n`, []))
process.on('message', async ({ args, cwd, env }) => {
  out = { stdout: '', stderr: '' }
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.argv = [process.execPath, 'tandem', ...args]
  process.exitCode = undefined
  const exited = new Promise((resolve) => {
    process.exit = (code) => resolve({ status: code, isOver: true })
  })
  commands += 1
  // The first file runs the command; it is loaded again under another address.
  const returned = import(`${program}?${commands}`).then(() => ({ status: process.exitCode, isOver: false }))
  const { status, isOver } = await Promise.race([returned, exited])
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal)
  process.stdout.removeAllListeners('error')
  // What a process that ends would have left behind is unknown: the next command gets another one.
  process.send({ status, ...out, isOver }, () => isOver && exit(0))
})

function written(name, chunk, rest) {
  out[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
  const done = rest.at(-1)
  if (typeof done === 'function') process.nextTick(done)
  return true
}

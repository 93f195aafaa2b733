// Types, style, unused code, the boundary, the reference, wording and paths in documents: one line each; failures are shown in full.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { root } from './setup/paths.js'

const checks = [
  ['types of the contract', 'tsc -p packages/contract'],
  ['types of the window', 'tsc -p packages/desktop'],
  ['types of everything else', 'tsc -p .'],
  ['style', 'biome check --error-on-warnings'],
  ['unused code', 'knip --no-progress'],
  ['boundary', 'node scripts/boundary.js'],
  ['reference', 'node scripts/reference.ts --check'],
  ['schema of the local database', 'node scripts/local-schema.ts --check'],
  ['wording', 'node scripts/wording.js'],
  ['paths in documents', 'node scripts/document-paths.js'],
]

const results = []
for (const [name, command] of checks) {
  const started = performance.now()
  const { code, output } = await run(command)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  results.push({ name, passed: code === 0 })
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name}  ${seconds} s`)
  if (code !== 0) console.log(`\n$ ${command}\n${output}`)
}

const failed = results.filter((result) => !result.passed).length
mkdirSync(`${root}.cache`, { recursive: true })
writeFileSync(`${root}.cache/check-report.json`, JSON.stringify({ passed: results.length - failed, failed }))
process.exitCode = failed === 0 ? 0 : 1

function run(command) {
  return new Promise((resolve) => {
    const [program, ...args] = command.split(' ')
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text) => {
        output += text
      })
    }
    child.on('error', (error) => resolve({ code: 1, output: `${program} can't be started: ${error.message}` }))
    child.on('close', (code) => resolve({ code, output }))
  })
}

// TypeBox has about seven hundred small files, and opening them is most of a start. They are bundled into a few, once per version; a
// start without the bundle works as well, only slower.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledProgram } from '../../packages/cli/bin/program.js'
import { log } from './log.js'
import { root } from './paths.js'

/** The program itself, valid while its sources are unchanged. */
export function bundleProgram() {
  if (bundledProgram(root)) return
  log('bundling the program, so that it starts faster')
  run(new URL('./bundle-program.js', import.meta.url), [], 'the program could not be bundled, so it starts more slowly')
}

export function bundleTypebox() {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'typebox', 'package.json'), 'utf8'))
  const folder = join(root, '.cache', 'bundled', `typebox-${version}`)
  if (existsSync(join(folder, 'complete'))) return
  log('bundling TypeBox, so that the program starts faster')
  run(new URL('./bundle-typebox.js', import.meta.url), [folder], 'TypeBox could not be bundled, so the program starts more slowly')
}

/** The program for a package, which has no sources: a failure is an error. */
export function packProgram() {
  log('bundling the program for the package')
  const reason = failure(new URL('./pack-program.js', import.meta.url), [])
  if (reason !== undefined) throw new Error(`the program could not be bundled: ${reason}`)
}

/** A failure here breaks nothing; starts are only slower. */
function run(script, args, otherwise) {
  const reason = failure(script, args)
  if (reason !== undefined) log(`${otherwise}: ${reason}`)
}

/** Runs it on the pinned Node; returns why it failed. */
function failure(script, args) {
  const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  const { status, stderr } = spawnSync(node, [fileURLToPath(script), ...args], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  return status === 0 ? undefined : (/^\w*Error: (.*)$/m.exec(stderr)?.[1] ?? stderr.trim().split('\n')[0])
}

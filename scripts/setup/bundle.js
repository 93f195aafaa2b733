// TypeBox comes as some seven hundred small files, and opening them is most of a start. They are put into a few, once for each version; a start
// without them works as well, only slower.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './paths.js'
import { say } from './say.js'

export function bundleTypebox() {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'typebox', 'package.json'), 'utf8'))
  const folder = join(root, '.cache', 'bundled', `typebox-${version}`)
  if (existsSync(join(folder, 'complete'))) return
  say('bundling TypeBox, so that starts are quick')
  const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  const script = fileURLToPath(new URL('./bundle-typebox.js', import.meta.url))
  const { status, stderr } = spawnSync(node, [script, folder], { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' })
  if (status !== 0) say(`TypeBox could not be bundled, so starts take a little longer: ${stderr.trim().split('\n')[0]}`)
}

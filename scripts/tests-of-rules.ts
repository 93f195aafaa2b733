// The tests that use neither the disk nor processes nor the network. They leave nothing behind, so they may share the modules they load,
// which takes longer than the tests themselves.
import { globSync, readFileSync } from 'node:fs'

const outside = /from 'node:(?!assert|crypto|path|url|util)|\bprocess\.|\bvi\.|\/support\//

export function testsOfRules(): string[] {
  return globSync('packages/{contract,runtime,desktop,cli}/src/**/*.test.ts')
    .filter((file) => !outside.test(readFileSync(file, 'utf8')))
    .sort()
}

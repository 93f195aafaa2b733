// A really full disk: a copy that does not fit leaves nothing, and a merge that does not fit changes nothing.
import { expect, test } from 'vitest'
import { runWithMounts } from '../../../test/support/checkpoint/test-mounts.ts'

const support = (name: string) => JSON.stringify(new URL(`../../../test/support/${name}`, import.meta.url).href)
const beginning = `
  import { execFileSync } from 'node:child_process'
  import { randomBytes } from 'node:crypto'
  import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
  import { join } from 'node:path'
  import { difference, manifestOf } from ${support('checkpoint/test-checkpoints.ts')}
  import { openTestTeam } from ${support('cooperation/test-team.ts')}
  const team = openTestTeam()
  const mount = (folder, size) => { mkdirSync(folder, { recursive: true }); execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=' + size, 'tmpfs', folder]) }
  const code = (error) => [error.reason_code, error.facts?.subject]
`

test('a merge that does not fit names the path, changes nothing, and succeeds when there is space again', () => {
  const said = runWithMounts(
    '--input-type=module',
    '-e',
    `${beginning}
    mount(team.work, '600k')
    for (const name of ['a', 'b', 'c']) writeFileSync(join(team.work, name), randomBytes(100_000))
    const copy = await team.start(1)
    for (const name of ['a', 'b', 'c']) writeFileSync(join(copy, name), randomBytes(100_000))
    rmSync(join(copy, 'a'))
    mkdirSync(join(copy, 'new'))
    writeFileSync(join(copy, 'new/d'), randomBytes(100_000))
    await team.end(1)
    writeFileSync(join(team.work, 'mine'), randomBytes(100_000))
    const before = manifestOf(team.work)
    const failed = await team.merge([1]).then(() => 'merged', code)
    const after = difference(before, manifestOf(team.work))
    const state = team.copies.list()[0].state
    rmSync(join(team.work, 'mine'))
    const { changed } = await team.merge([1])
    console.log(JSON.stringify([failed, after, state, changed.length, difference(manifestOf(copy), manifestOf(team.work)), team.logged]))
    execFileSync('umount', ['-l', team.work])
    team.close()
  `,
  )
  expect(said).toEqual([['disk_full', 'new/d'], { missing: [], surplus: [] }, 'unmerged', 4, { missing: [], surplus: [] }, []])
})

test('a copy that does not fit leaves nothing', () => {
  const said = runWithMounts(
    '--input-type=module',
    '-e',
    `${beginning}
    writeFileSync(join(team.work, 'a'), randomBytes(500_000))
    mount(join(team.home, 'copies'), '300k')
    const failed = await team.start(1).then(() => 'copied', code)
    console.log(JSON.stringify([failed[0], readdirSync(join(team.home, 'copies')), team.copies.list()]))
    execFileSync('umount', ['-l', join(team.home, 'copies')])
    team.close()
  `,
  )
  expect(said).toEqual(['disk_full', [], []])
})

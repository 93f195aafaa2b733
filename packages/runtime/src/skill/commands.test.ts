import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createSkillTestEnvironment, type SkillTestEnvironment, skillText } from '../../test/support/skill/test-skills.ts'
import { skillHandlers } from './commands.ts'
import { skillFolders } from './roots.ts'

let ground: SkillTestEnvironment
afterEach(() => ground.close())

test('all pages of a list come from one scan, and a new list scans again', async () => {
  let scans = 0
  ground = createSkillTestEnvironment({
    folders(workspace) {
      scans += 1
      return skillFolders({ user_home: '/nonexistent', home: join(ground.root, 'home'), workspace, bundled: null, configured: [] })
    },
  })
  for (const name of ['a', 'b', 'c', 'd', 'e']) ground.write(join(ground.own, name, 'SKILL.md'), skillText(name))
  const { skill_list } = skillHandlers({
    skills: ground.service,
    workspaces: { resolve: () => ({ ok: true, value: ground.workspace }), started: () => ground.workspace },
    agents: { get: () => undefined, default: () => ({ agent_id: 'agent' }) },
    runSkills: { given: () => null, changed: () => undefined },
    journal: { run: () => undefined },
  })
  const page = async (cursor?: string) => {
    const read = await skill_list?.({ limit: 2, ...(cursor === undefined ? {} : { cursor }) })
    if (!read?.ok) throw new Error('the skills could not be listed')
    const { items, next_cursor } = read.value
    return { names: items.map(({ skill }) => skill.name), cursor: next_cursor ?? '' }
  }
  const first = await page()
  // Listed while it was found; a list that has begun does not change.
  ground.write(join(ground.own, 'f', 'SKILL.md'), skillText('f'))
  const second = await page(first.cursor)
  const third = await page(second.cursor)
  expect([first.names, second.names, third.names, third.cursor]).toEqual([['a', 'b'], ['c', 'd'], ['e'], ''])
  expect(scans).toBe(1)
  expect([(await page()).names, scans]).toEqual([['a', 'b'], 2])
  // At the same time, too.
  await Promise.all([ground.service.listSkills(ground.situation), ground.service.listSkills(ground.situation)])
  expect(scans).toBe(3)
})

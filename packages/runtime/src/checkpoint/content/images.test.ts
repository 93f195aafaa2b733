import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Image } from './image.ts'
import { Images } from './images.ts'

const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 0, maxLength: 3 }).map((parts) => `/${parts.join('/')}`)
const step = fc.oneof(
  fc.record({ does: fc.constant('set' as const), path, ino: fc.nat(3) }),
  fc.record({ does: fc.constant('delete' as const), path }),
  fc.record({ does: fc.constant('copy' as const) }),
  fc.record({ does: fc.constant('share' as const), path }),
)

test('behave like a map, and a copy does not change with its original', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let images = new Images()
      let model = new Map<string, Image>()
      const copies: [Images, Map<string, Image>][] = []
      for (const one of steps) {
        if (one.does === 'set') {
          const image: Image = { type: 'special', ino: one.ino }
          images.set(one.path, image)
          model.set(one.path, image)
        } else if (one.does === 'delete') {
          images.delete(one.path)
          model.delete(one.path)
        } else if (one.does === 'copy') {
          copies.push([images, model])
          images = Images.copyOf(images)
          model = new Map(model)
        } else images.folder(`${one.path}/`.replace('//', '/'))
      }
      for (const [some, expected] of [...copies, [images, model] as const]) {
        expect([new Map(some), some.size]).toEqual([expected, expected.size])
        const different = [...some.differences(images)].map(([at, here, there]) => [at, here, there] as const)
        const wanted = [...new Set([...expected.keys(), ...model.keys()])].filter((at) => expected.get(at) !== model.get(at))
        expect(different.map(([at]) => at).sort()).toEqual(wanted.sort())
        for (const [at, here, there] of different) expect([here, there]).toEqual([expected.get(at), model.get(at)])
      }
    }),
  )
})

test('facts are updated when a folder changes after they were read', () => {
  const file = {
    type: 'file',
    mode: 0o644,
    size: 3,
    mtime: 1,
    ctime: 1,
    ino: 1,
    links: 1,
    born: 1,
    sha256: null,
    content: null,
    racy: false,
  } as const
  const images = new Images()
  images.set('/w/a', file)
  const bytes = () => [...images.facts()].map(([prefix, facts]) => [prefix, facts.files.length, facts.bytes, facts.largest])
  expect(bytes()).toEqual([['/w/', 1, 3, 3]])
  images.set('/w/b', { ...file, size: 7 })
  expect(bytes()).toEqual([['/w/', 2, 10, 7]])
})

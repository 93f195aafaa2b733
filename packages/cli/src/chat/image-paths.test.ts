import { isAbsolute } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imagePathsIn } from './image-paths.ts'

test.each([
  ['look at dot.png', ['/files/dot.png']],
  ['@shots/a.PNG and @shots/b.jpeg', ['/files/shots/a.PNG', '/files/shots/b.jpeg']],
  ["'/tmp/my picture.webp' please", ['/tmp/my picture.webp']],
  ['@"my picture.gif"', ['/files/my picture.gif']],
  ['/tmp/my\\ picture.png', ['/tmp/my picture.png']],
  ['~/dot.jpg twice: ~/dot.jpg', ['/home/me/dot.jpg']],
  ['https://example.com/dot.png', []],
  ['dot.png.txt, png, .pngs', []],
])('%s', (text, paths) => {
  expect(imagePathsIn(text, '/files', '/home/me')).toEqual(paths)
})

test('every text has absolute paths only', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => imagePathsIn(text, '/files', '/home/me').every((path) => isAbsolute(path))),
  )
})

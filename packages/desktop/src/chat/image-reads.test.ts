import { expect, test } from 'vitest'
import { imageReads } from './image-reads.ts'

/** A file that is different whenever it is read. */
function growingFile() {
  const paths: string[] = []
  const read = async (path: string) => `${path} ${paths.push(path)}`
  return { paths, find: imageReads(read) }
}

test('a later message reads an image again, and earlier messages keep what they showed', async () => {
  const { find, paths } = growingFile()
  expect(await find('chart.png', 'first')).toBe('chart.png 1')
  expect(await find('chart.png', 'second')).toBe('chart.png 2')
  expect(await Promise.all([find('chart.png', 'first'), find('chart.png', 'second')])).toEqual(['chart.png 1', 'chart.png 2'])
  expect(paths).toEqual(['chart.png', 'chart.png'])
})

test('an image that is shown twice at the same time is read once', async () => {
  const { find } = growingFile()
  expect(await Promise.all([find('a.png', 'first'), find('a.png', 'first')])).toEqual(['a.png 1', 'a.png 1'])
})

test('an image that was not there is read again', async () => {
  const answers = [null, 'data:image/png;base64,AA==']
  const find = imageReads(async () => answers.shift() ?? null)
  expect(await find('a.png', 'first')).toBe(null)
  expect(await find('a.png', 'first')).toBe('data:image/png;base64,AA==')
})

test('a limited number of images is kept', async () => {
  const { find } = growingFile()
  for (let row = 1; row <= 41; row += 1) expect(await find('a.png', `row ${row}`)).toBe(`a.png ${row}`)
  expect(await find('a.png', 'row 41')).toBe('a.png 41')
  expect(await find('a.png', 'row 1')).toBe('a.png 42')
})

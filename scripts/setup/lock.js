// Two commands at once in a fresh clone must not install over each other.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './paths.js'
import { say } from './say.js'

const file = join(root, '.cache', 'setup.lock')

/** Runs `work` while no other process of this clone does. A lock whose owner is dead is taken over. */
export async function alone(work) {
  mkdirSync(join(root, '.cache'), { recursive: true })
  let told = false
  while (!take()) {
    if (!told) say('another command is setting up this clone; waiting for it')
    told = true
    await sleep(200)
  }
  try {
    work()
  } finally {
    rmSync(file, { force: true })
  }
}

function take() {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!ownerLives()) rmSync(file, { force: true })
    return false
  }
}

function ownerLives() {
  try {
    process.kill(Number(readFileSync(file, 'utf8')) || -1, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

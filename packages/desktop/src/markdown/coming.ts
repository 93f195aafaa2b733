// Whether a text is still being written: then nothing of it is folded.
import { createContext } from 'react'

export const ComingContext = createContext(false)

/** How people write the letters of other alphabets in URLs. Accents are removed before, so each letter is here once. */
const letters: Readonly<Record<string, string>> = Object.fromEntries(
  [
    // Latin letters that are not a plain letter with an accent
    'ß:ss æ:ae œ:oe ø:o ð:d đ:d þ:th ł:l ħ:h ı:i ĸ:k ŋ:ng ŧ:t ə:a',
    // Greek
    'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o',
    // Cyrillic: Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian
    'а:a б:b в:v г:g д:d е:e ж:zh з:z и:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch',
    'ъ: ы:y ь: э:e ю:yu я:ya є:ye і:i ґ:g ђ:dj ј:j љ:lj њ:nj ћ:c џ:dz ѕ:dz',
  ].flatMap((line) => line.split(' ').map((pair) => pair.split(':') as [string, string])),
);

/** "Связаться" → "svyazatsya". Letters of other scripts stay as they are. Expects lower case without accents. */
export function transliterate(text: string): string {
  return text.replaceAll(/\p{L}/gu, (letter) => letters[letter] ?? letter);
}

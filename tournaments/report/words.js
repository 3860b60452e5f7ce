// Texts with values in them, in the report and on the page for players.

/** @typedef {Record<string, string | number>} Values */

const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];  // of numbers, by CLDR; a language has some of them

/**
 * A text with these values in the places of their names. `{moves:move|moves}` is the word for the number `moves`: one
 * word for each category of numbers that the language has, in the order of CATEGORIES.
 * @param {string} text
 * @param {Values} values
 * @param {string} language
 */
export const fillIn = (text, values, language) => text.replace(/\{(\w+)(?::([^}]+))?\}/g, (whole, name, forms) =>
  forms === undefined ? String(values[name] ?? whole) : chooseForm(forms.split("|"), Number(values[name]), language));

/**
 * @param {string[]} forms
 * @param {number} number
 * @param {string} language
 */
function chooseForm(forms, number, language) {
  const {rules, known} = pluralsOf(language);
  return forms[known.indexOf(rules.select(number))] ?? forms.at(-1);
}

/**
 * A function that remembers its results: what Intl makes takes longer to make than to use.
 * @template T
 * @param {(language: string) => T} make
 */
export function remembered(make) {
  /** @type {Map<string, T>} */
  const known = new Map();
  return (/** @type {string} */ language) => {
    const found = known.get(language) ?? make(language);
    known.set(language, found);
    return found;
  };
}

const pluralsOf = remembered(language => {
  const rules = new Intl.PluralRules(language), {pluralCategories} = rules.resolvedOptions();
  return {rules, known: CATEGORIES.filter(category => pluralCategories.some(each => each === category))};
});

/**
 * The text of a report by its key.
 * @param {{language: string, words: Record<string, string>}} data the page's data for its script
 * @param {string} key
 * @param {Values} [values]
 */
export const sayIn = ({language, words}, key, values = {}) => fillIn(words[key] ?? key, values, language);

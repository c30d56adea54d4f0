/*
 * Swap program of the local SVM chain: constant-product pools with the fee of Uniswap v2, 0.3 percent of the input. It stands
 * for the aggregators that trade any token on the public cluster.
 *
 * Data, little-endian: mode (1 byte), amount, limit and in mode 2 the output (8 bytes each, smallest units).
 *   mode 0: sells exactly `amount`, for `limit` or more.
 *   mode 1: buys exactly `amount`, for `limit` or less.
 *   mode 2: sells `amount`, or as much as the output needs if that is more, and no more than `limit`.
 * Accounts: the seller (signs), the seller's token account, the token account that is paid, the token program; then for each
 * hop the pool, its vault of the token that it takes, and its vault of the token that it gives.
 *
 * A pool is an account of this program: two mints, their vaults, and the bump of its address, whose seeds are the mints. The
 * pool owns its vaults. It is placed when the chain starts; nothing here creates or changes one.
 */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

/* Structures that the runtime reads. */
typedef struct { const u8 *key; u64 *lamports; u64 size; u8 *data; const u8 *owner; u64 epoch; u8 signs, writes, runs; } Account;
typedef struct { const u8 *key; u8 writes, signs; } Meta;
typedef struct { const u8 *program; const Meta *metas; u64 metaCount; const u8 *data; u64 size; } Instruction;
typedef struct { const u8 *bytes; u64 size; } Seed;
typedef struct { const Seed *seeds; u64 count; } Signer;
extern u64 sol_invoke_signed_c(const Instruction *, const Account *, u64, const Signer *, u64);

/* Errors of the program, `Custom(n)`; the token program has lower ones. */
enum { LIMIT_EXCEEDED = 6001, INVALID_INPUT = 6002, TOO_LITTLE_LIQUIDITY = 6003 };
enum { SELLER, SOURCE, DESTINATION, TOKEN_PROGRAM, FIRST_POOL, ACCOUNTS_PER_HOP = 3, MOST_HOPS = 8 };
enum { MOST_ACCOUNTS = FIRST_POOL + ACCOUNTS_PER_HOP * MOST_HOPS };
enum { INPUT_SIZE = 17, RANGE_SIZE = 25, POOL_SIZE = 129, TOKEN_SIZE = 165, AMOUNT_OFFSET = 64 };
/* Spare bytes that the runtime leaves behind each account's data. */
enum { SPARE_BYTES = 10240, UNIQUE = 0xff };

#define SWAPPED_PARTS 997ull
#define WHOLE_PARTS 1000ull
/* Amounts below this cannot overflow the arithmetic. */
#define MOST_UNITS (1ull << 53)

typedef struct { Account accounts[MOST_ACCOUNTS]; u64 count; const u8 *data; u64 size; const u8 *program; } Input;
typedef struct { const Account *pool, *in, *out; } Hop;

static inline u8 isSame(const u8 *a, const u8 *b) {
  const u64 *x = (const u64 *)a, *y = (const u64 *)b;
  return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[3];
}

static inline u64 readAmount(const u8 *bytes) {
  u64 value = 0;
  for (int i = 7; i >= 0; i--) value = value << 8 | bytes[i];
  return value;
}

static inline u64 balanceOf(const Account *vault) { return *(const u64 *)(vault->data + AMOUNT_OFFSET); }

/* a * b / divisor, rounded down, through 128 bits. Returns MOST_UNITS if the result is not below it. */
static u64 multiplyDivide(u64 a, u64 b, u64 divisor) {
  u64 a0 = (u32)a, a1 = a >> 32, b0 = (u32)b, b1 = b >> 32;
  u64 middle = a1 * b0 + (a0 * b0 >> 32);
  u64 cross = a0 * b1 + (u32)middle;
  u64 high = a1 * b1 + (middle >> 32) + (cross >> 32);
  u64 low = a * b;
  if (high >= divisor) return MOST_UNITS;
  u64 quotient = 0;
  for (int bit = 63; bit >= 0; bit--) {
    u64 carry = high >> 63;
    high = high << 1 | (low >> bit & 1);
    quotient <<= 1;
    if (carry || high >= divisor) {
      high -= divisor;
      quotient |= 1;
    }
  }
  return quotient < MOST_UNITS ? quotient : MOST_UNITS;
}

static inline u64 outputOf(const Hop *hop, u64 amount) {
  u64 in = balanceOf(hop->in), out = balanceOf(hop->out);
  if (amount >= MOST_UNITS || in >= MOST_UNITS || out >= MOST_UNITS) return 0;
  u64 swapped = amount * SWAPPED_PARTS;
  u64 divisor = in * WHOLE_PARTS + swapped;
  return in == 0 || divisor == 0 ? 0 : multiplyDivide(swapped, out, divisor);
}

static inline u64 inputFor(const Hop *hop, u64 amount) {
  u64 in = balanceOf(hop->in), out = balanceOf(hop->out);
  if (in == 0 || amount >= out || in >= MOST_UNITS || out >= MOST_UNITS) return MOST_UNITS;
  return multiplyDivide(in * WHOLE_PARTS, amount, (out - amount) * SWAPPED_PARTS) + 1;
}

/* Reads the runtime's serialization of the call. */
static u64 readInput(const u8 *at, Input *input) {
  u64 count = *(const u64 *)at;
  if (count > MOST_ACCOUNTS) return INVALID_INPUT;
  at += 8;
  for (u64 i = 0; i < count; i++) {
    if (*at != UNIQUE) {
      if (*at >= i) return INVALID_INPUT;
      input->accounts[i] = input->accounts[*at];
      at += 8;
      continue;
    }
    Account *account = &input->accounts[i];
    account->signs = at[1];
    account->writes = at[2];
    account->runs = at[3];
    account->key = at + 8;
    account->owner = at + 40;
    account->lamports = (u64 *)(at + 72);
    account->size = *(const u64 *)(at + 80);
    account->data = (u8 *)at + 88;
    at += 88 + account->size + SPARE_BYTES;
    at = (const u8 *)(((u64)at + 7) & ~7ull);
    account->epoch = *(const u64 *)at;
    at += 8;
  }
  input->count = count;
  input->size = *(const u64 *)at;
  input->data = at + 8;
  input->program = at + 8 + input->size;
  return 0;
}

/*
 * The hop's accounts, if they are a pool of this program with its own vaults. The token program must be that of the vaults: the
 * pool signs for what it is called with. A vault as destination would be paid by itself.
 */
static u64 readHop(const Input *input, u64 index, Hop *hop) {
  const Account *accounts = &input->accounts[FIRST_POOL + ACCOUNTS_PER_HOP * index];
  const Account *pool = accounts, *in = accounts + 1, *out = accounts + 2;
  if (!isSame(pool->owner, input->program) || pool->size != POOL_SIZE) return INVALID_INPUT;
  const u8 *first = pool->data + 64, *second = pool->data + 96;
  if (!(isSame(in->key, first) && isSame(out->key, second)) && !(isSame(in->key, second) && isSame(out->key, first)))
    return INVALID_INPUT;
  if (in->size != TOKEN_SIZE || out->size != TOKEN_SIZE) return INVALID_INPUT;
  const u8 *tokens = input->accounts[TOKEN_PROGRAM].key, *destination = input->accounts[DESTINATION].key;
  if (!isSame(in->owner, tokens) || !isSame(out->owner, tokens)) return INVALID_INPUT;
  if (isSame(in->key, destination) || isSame(out->key, destination)) return INVALID_INPUT;
  hop->pool = pool;
  hop->in = in;
  hop->out = out;
  return 0;
}

typedef struct { const Account *from, *to, *owner; u64 amount; } Transfer;

/* Moves tokens. The owner has signed, or is a pool, for which the program signs. */
static u64 transfer(const Input *input, const Transfer *move, const Account *pool) {
  u8 data[9];
  data[0] = 3;
  for (int i = 0; i < 8; i++) data[i + 1] = (u8)(move->amount >> (8 * i));
  Meta metas[3] = {{move->from->key, 1, 0}, {move->to->key, 1, 0}, {move->owner->key, 0, 1}};
  Instruction instruction = {input->accounts[TOKEN_PROGRAM].key, metas, 3, data, 9};
  if (pool == 0) return sol_invoke_signed_c(&instruction, input->accounts, input->count, 0, 0);
  Seed seeds[3] = {{pool->data, 32}, {pool->data + 32, 32}, {pool->data + 128, 1}};
  Signer signer = {seeds, 3};
  return sol_invoke_signed_c(&instruction, input->accounts, input->count, &signer, 1);
}

/* Amounts between the hops for the first of them. */
static u64 sell(const Hop *hops, u64 hopCount, u64 *amounts) {
  for (u64 i = 0; i < hopCount; i++) {
    amounts[i + 1] = outputOf(&hops[i], amounts[i]);
    if (amounts[i + 1] == 0 || amounts[i + 1] >= MOST_UNITS) return TOO_LITTLE_LIQUIDITY;
  }
  return 0;
}

/* Amounts between the hops for the last of them. */
static u64 buy(const Hop *hops, u64 hopCount, u64 *amounts) {
  for (u64 i = hopCount; i > 0; i--) {
    amounts[i - 1] = inputFor(&hops[i - 1], amounts[i]);
    if (amounts[i - 1] >= MOST_UNITS) return TOO_LITTLE_LIQUIDITY;
  }
  return 0;
}

/* The amounts of the swap, within its limits. */
static u64 price(const Input *input, const Hop *hops, u64 hopCount, u64 *amounts) {
  if (input->size == 0) return INVALID_INPUT;
  u8 mode = input->data[0];
  if (mode > 2 || input->size != (mode == 2 ? RANGE_SIZE : INPUT_SIZE)) return INVALID_INPUT;
  u64 amount = readAmount(input->data + 1), limit = readAmount(input->data + 9);
  u64 least = mode == 2 ? readAmount(input->data + 17) : amount;
  if (least == 0 || amount >= MOST_UNITS || least >= MOST_UNITS) return INVALID_INPUT;
  u64 error = 0;
  if (mode != 0) {
    amounts[hopCount] = least;
    error = buy(hops, hopCount, amounts);
    if (error) return error;
  }
  if (mode == 0 || (mode == 2 && amounts[0] < amount)) {
    amounts[0] = amount;
    error = sell(hops, hopCount, amounts);
    if (error) return error;
  }
  return (mode == 0 ? amounts[hopCount] < limit : amounts[0] > limit) ? LIMIT_EXCEEDED : 0;
}

u64 entrypoint(const u8 *bytes) {
  Input input;
  u64 error = readInput(bytes, &input);
  if (error) return error;
  if (input.count <= FIRST_POOL) return INVALID_INPUT;
  u64 hopCount = (input.count - FIRST_POOL) / ACCOUNTS_PER_HOP;
  if (hopCount * ACCOUNTS_PER_HOP + FIRST_POOL != input.count) return INVALID_INPUT;
  Hop hops[MOST_HOPS];
  for (u64 i = 0; i < hopCount; i++) {
    error = readHop(&input, i, &hops[i]);
    if (error) return error;
    /* A pool met twice would be priced by balances that the first hop changes. */
    for (u64 j = 0; j < i; j++) if (isSame(hops[j].pool->key, hops[i].pool->key)) return INVALID_INPUT;
  }
  u64 amounts[MOST_HOPS + 1];
  error = price(&input, hops, hopCount, amounts);
  if (error) return error;
  const Account *accounts = input.accounts;
  Transfer sold = {&accounts[SOURCE], hops[0].in, &accounts[SELLER], amounts[0]};
  error = transfer(&input, &sold, 0);
  for (u64 i = 0; i < hopCount && !error; i++) {
    const Account *to = i + 1 < hopCount ? hops[i + 1].in : &accounts[DESTINATION];
    Transfer bought = {hops[i].out, to, hops[i].pool, amounts[i + 1]};
    error = transfer(&input, &bought, hops[i].pool);
  }
  return error;
}

// SPDX-License-Identifier: MIT
pragma solidity >=0.8.4;

/// @title Actions on balances that are only known when they arrive
/// @notice The calls of a cross-chain request are fixed before it is known how much of a currency will reach the
/// destination. These functions read the balance when it is there, write it into the calldata of the calls, make them,
/// and sweep what is left.
///
/// Two contracts offer this interface and differ only in where the money comes from:
/// - `BalanceExecutor` uses what was sent to it earlier in the same transaction. It calls arbitrary targets, so nobody may
///   ever approve it. Between transactions it is empty; whatever is left on it belongs to whoever calls next.
/// - `BalanceProxy` first pulls the caller's approved balance into its executor and then hands the call on. It makes no
///   arbitrary call and moves no account's money but its caller's, so an approval of it serves its owner alone.
///
/// Assumptions:
/// - The caller chooses the tokens and targets and trusts them with the money of this one call, no further.
/// - `address(this)` in the targets' eyes is the executor: it is their `msg.sender`.
/// - The executor's account in other contracts belongs to strangers. Anyone can have made it approve, delegate, register or
/// owe there, by functions that `StandingApproval` does not list. Never give that account rights or credit.
/// - What leaves the executor in a step leaves by that step's approval or value. After each step, and again when it is swept,
/// every named token but the target itself is measured: an authority that a stranger planted before takes nothing of it.
/// Three gaps remain. What arrives before the steps begin is bounded by `minimumReceived` alone. What a step brings in can be
/// taken before that step ends, and a step whose target is the token is not measured in it: `minimumOutput` bounds both.
/// - A target that takes a token without using its allowance reverts with `UnapprovedOutflow`: a lending pool that burns its
/// receipt tokens, a token that shrinks by a rebase in the step, that taxes its sender on top, or that reports an infinite
/// allowance for the target.
/// - A token that refuses an approval of zero can only be spent whole.
/// - Transfers and approvals that a token refuses revert with the errors of Solady's `SafeTransferLib`, which carry no
/// arguments: `TransferFailed`, `TransferFromFailed`, `ApproveFailed`, `ETHTransferFailed`.
interface IBalanceActions {
    /// @notice A currency the actions touch. Every currency that comes in or goes out is named once.
    /// @param token The token; zero is the chain's native currency.
    /// @param minimumReceived The least that must be there when the steps begin, in the token's smallest unit.
    /// @param recipient Who gets what is left of it on the executor when the steps are done.
    /// @param minimumOutput The least by which `recipient`'s balance must grow, counted from the first step; zero asks
    /// for nothing.
    struct Asset {
        address token;
        uint256 minimumReceived;
        address recipient;
        uint256 minimumOutput;
    }

    /// @notice A place in a step's calldata that takes a live balance.
    /// @param offset Where the 32-byte word begins, counted from the first byte of the selector. The word must lie inside
    /// the calldata, behind the selector, and be zero.
    /// @param token Whose balance on the executor is written there; zero is the native currency.
    struct Splice {
        uint256 offset;
        address token;
    }

    /// @notice One outside call.
    /// @param target Whom to call; must have code.
    /// @param approvedToken A token the target may take the executor's whole balance of during this call; zero for none.
    /// The approval is gone when the step is over.
    /// @param value Wei to send along; must be zero when `sendNativeBalance` is set.
    /// @param sendNativeBalance Whether to send the executor's whole native balance.
    /// @param data Calldata, with zero words where `splices` point.
    /// @param splices The live balances to write into `data`, by ascending offset.
    struct Step {
        address target;
        address approvedToken;
        uint256 value;
        bool sendNativeBalance;
        bytes data;
        Splice[] splices;
    }

    /// @notice What `executeWithNftRecipient` does.
    /// @param assets Every currency that comes in or goes out, each once.
    /// @param steps The calls, in order.
    /// @param nftRecipient Who gets the NFTs that arrive; if it has code, it must accept them.
    struct NftExecution {
        Asset[] assets;
        Step[] steps;
        address nftRecipient;
    }

    /// @notice Thrown when the executor is called while it is at work, or held for the proxy.
    error Reentrancy();

    /// @notice Thrown when less is there than the caller asked for, or nothing at all.
    /// @param token The currency; zero is native.
    /// @param received What is there, in its smallest unit.
    /// @param minimum What was asked for.
    error ReceivedTooLittle(address token, uint256 received, uint256 minimum);

    /// @notice Thrown when a recipient's balance grew by less than the caller asked for.
    /// @param token The currency; zero is native.
    /// @param output By how much it grew, in its smallest unit.
    /// @param minimum What was asked for.
    error OutputTooLow(address token, uint256 output, uint256 minimum);

    /// @notice Thrown when an asset has nobody to be swept to: the recipient is zero, the executor or the proxy.
    /// @param index The asset's place in the list.
    error RecipientInvalid(uint256 index);

    /// @notice Thrown when NFTs would be sent on to nobody: their recipient is zero, the executor or the proxy.
    /// @param recipient The address that was named.
    error NftRecipientInvalid(address recipient);

    /// @notice Thrown when a currency is named twice.
    /// @param token The currency; zero is native.
    error AssetDuplicated(address token);

    /// @notice Thrown when a step spends a currency that is not among the assets, where nobody would sweep what is left.
    /// @param token The currency; zero is native.
    error AssetNotNamed(address token);

    /// @notice Thrown when a splice does not point at a whole word behind the selector.
    /// @param offset Where it points, in bytes.
    /// @param length The length of the calldata, in bytes.
    error SpliceOutOfBounds(uint256 offset, uint256 length);

    /// @notice Thrown when the word a splice points at is not zero: the offset is wrong, or the word is taken.
    /// @param offset Where it points, in bytes.
    /// @param found The word that stands there.
    error SpliceWordNotZero(uint256 offset, bytes32 found);

    /// @notice Thrown when two splices share bytes, or are not in ascending order.
    /// @param offset Where the later one points, in bytes.
    /// @param previousEnd The first byte behind the earlier one.
    error SplicesOverlap(uint256 offset, uint256 previousEnd);

    /// @notice Thrown when a step names both a fixed value and the native balance.
    /// @param index The step's place in the list.
    error StepValueAmbiguous(uint256 index);

    /// @notice Thrown when a step's target has no code, where a call would succeed without doing anything.
    /// @param index The step's place in the list.
    /// @param target The address without code.
    error TargetHasNoCode(uint256 index, address target);

    /// @notice Thrown when a step would give a standing approval by a function that `StandingApproval` knows. Approvals are
    /// given with `approvedToken`, so that none outlives its step.
    /// @param index The step's place in the list.
    /// @param selector The function it would have called.
    error StandingApprovalRefused(uint256 index, bytes4 selector);

    /// @notice Thrown when a step's target is the registry of ERC-1820, where a stranger could register hooks for the executor.
    /// @param index The step's place in the list.
    /// @param registry The registry's address.
    error RegistryRefused(uint256 index, address registry);

    /// @notice Thrown when a token left in a step otherwise than by that step's approval or value, or between two sweeps.
    /// @param index The step's place in the list; the number of steps if it left during the sweeps.
    /// @param token The currency; zero is native.
    /// @param left What is left, in its smallest unit; of native currency, with the value that the step sent.
    /// @param minimum What must be left: the balance before the step, less what the target used of its approval.
    error UnapprovedOutflow(uint256 index, address token, uint256 left, uint256 minimum);

    /// @notice Thrown when a step's call reverts.
    /// @param index The step's place in the list.
    /// @param target Who reverted.
    /// @param reason Its revert data, cut to 1,024 bytes.
    error StepFailed(uint256 index, address target, bytes reason);

    /// @notice Thrown when native currency that came with the call would stay behind because no asset names it.
    /// @param amount Wei.
    error NativeLeftBehind(uint256 amount);

    /// @notice Emitted when native currency is swept; tokens log their own transfers.
    /// @param recipient Who got it.
    /// @param amount Wei.
    event NativeSwept(address indexed recipient, uint256 amount);

    /// @notice Spends one token in one call: approves `target` for the whole balance, writes the balance at `offset`, calls,
    /// takes back what is left of the approval, and sends what is left of the token to `recipient`.
    /// @dev The cheap form. Outputs must go where `data` sends them; to collect or bound them, use `execute`. Reverts with
    /// `ReceivedTooLittle` (always when nothing is there), `RecipientInvalid`, `SpliceOutOfBounds`, `SpliceWordNotZero`,
    /// `TargetHasNoCode`, `StandingApprovalRefused` or `StepFailed` (both with index 0), `Reentrancy`, or an error of the
    /// token.
    /// @param token The token to spend; not native.
    /// @param minimumReceived The least that must be there, in the token's smallest unit.
    /// @param target Whom to call.
    /// @param offset Where in `data` the balance goes; see `Splice`.
    /// @param data Calldata for `target`.
    /// @param recipient Who gets what is left of `token`, and native currency that came back.
    function spend(
        address token,
        uint256 minimumReceived,
        address target,
        uint256 offset,
        bytes calldata data,
        address recipient
    ) external;

    /// @notice Makes several calls over several currencies, all or none, then sweeps every asset to its recipient.
    /// @dev Order: minimums in, steps, sweeps, minimums out. Reverts with any error of this interface, `Reentrancy`, or an
    /// error of a token.
    /// @param assets Every currency that comes in or goes out, each once.
    /// @param steps The calls, in order.
    function execute(Asset[] calldata assets, Step[] calldata steps) external payable;

    /// @notice Does what `execute` does, and sends every ERC-721 and ERC-1155 token that a target sends to the executor by a
    /// safe transfer on to `nftRecipient`, at once. Every other call refuses such tokens.
    /// @dev On the executor itself, an ERC-721 collection can be named as an asset: `minimumOutput` then counts tokens, and
    /// tokens that came without a receipt revert at the sweep with `TransferFailed`. The proxy would have to pull such an asset
    /// and cannot; of a collection that is not named, tokens without a receipt stay on the executor and are anybody's. Reverts with `NftRecipientInvalid`, or as `execute` does.
    /// @param execution Assets, steps and recipient.
    function executeWithNftRecipient(NftExecution calldata execution) external payable;
}

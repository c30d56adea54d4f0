// SPDX-License-Identifier: MIT
pragma solidity ^0.8.17;

/// @title Terms that a solver's signed order must meet
/// @notice Compares an order with the integrator's own terms, recovers its signer and returns its `orderId`, in one
/// pass: every hash that the id needs is the hash that is compared. No storage, no dependency, any EVM from london on.
/// @dev Take the terms from a source other than the order's: the user's signature, the contract's state. Terms of the
/// caller who brings the order prove only that both agree. Nothing is stored: count a paid `orderId` if it matters.
/// Free, bound by the signature only: `solverChainId`, `salt`, `extraData` (settlement checks it), `expectedAmount`, a
/// fee's recipient with its chain, a refund's `minimumAmount`, and on the destination a refund's currency and deadline.
library OrderTerms {
    /// @notice The `protocol.v2.orderData` of a quote and its parts. `Order.sol` describes the members.
    struct Order {
        string version;
        string solverChainId;
        address solver;
        uint256 salt;
        Input[] inputs;
        Output output;
        Fee[] fees;
    }

    struct Input {
        InputPayment payment;
        InputRefund[] refunds;
    }

    struct InputPayment {
        string chainId;
        bytes currency;
        uint256 amount;
        uint256 weight;
    }

    struct InputRefund {
        string chainId;
        bytes recipient;
        bytes currency;
        uint256 minimumAmount;
        uint32 deadline;
        bytes extraData;
    }

    struct Output {
        string chainId;
        OutputPayment[] payments;
        uint32 deadline;
        bytes[] calls;
        bytes extraData;
    }

    struct OutputPayment {
        bytes recipient;
        bytes currency;
        uint256 minimumAmount;
        uint256 expectedAmount;
    }

    struct Fee {
        string recipientChainId;
        bytes recipient;
        string currencyChainId;
        bytes currency;
        uint256 amount;
    }

    /// @notice The integrator's terms. A member left zero allows nothing: no calls, no fees, no chain.
    /// @param solver Pinned solver: the order names it and it signed the id.
    /// @param originChain Hash of the protocol's name of this chain. See `ProtocolNames`.
    /// @param currency The deposited token; zero for the native currency.
    /// @param amount Exactly the deposited amount.
    /// @param refundTo Recipient of refunds, yours on both chains; on the destination the recipient too, without calls.
    /// @param destinationChain Hash of the protocol's name of the destination.
    /// @param recipient Hash of the recipient's bytes; see `hashOf`. Without calls never a router: anyone may empty it.
    /// @param outputCurrency Hash of the output currency's bytes, or `ANY_CURRENCY`.
    /// @param minimumAmount Least `minimumAmount` of the output, above zero.
    /// @param callsHash EIP-712 hash of the calls; zero for none. With calls, `recipient` is their router.
    /// @param earliestDeadline Earliest deadline of the fill; the current time is a limit too.
    /// @param latestDeadline Latest deadline of the fill.
    /// @param maximumFees Largest sum of the fees, each in `currency` on this chain.
    struct Terms {
        address solver;
        bytes32 originChain;
        address currency;
        uint256 amount;
        address refundTo;
        bytes32 destinationChain;
        bytes32 recipient;
        bytes32 outputCurrency;
        uint256 minimumAmount;
        bytes32 callsHash;
        uint256 earliestDeadline;
        uint256 latestDeadline;
        uint256 maximumFees;
    }

    // Errors: the order's value, then the one that the terms allow. Then the EIP-712 type hashes; the tests assemble them.
    error VersionDiffers(string version, string expected);
    error SolverDiffers(address solver, address expected);
    error InputCountDiffers(uint256 count, uint256 expected);
    error InputChainDiffers(string chainId, bytes32 expectedHash);
    error InputCurrencyDiffers(bytes currency, address expected);
    error InputAmountDiffers(uint256 amount, uint256 expected);
    error InputWeightDiffers(uint256 weight, uint256 expected);
    error RefundChainDiffers(uint256 index, string chainId, bytes32 originHash, bytes32 destinationHash);
    error RefundCurrencyDiffers(uint256 index, bytes currency, address expected);
    error RefundDeadlineTooEarly(uint256 index, uint256 deadline, uint256 fillDeadline);
    error RefundRecipientDiffers(uint256 index, bytes recipient, address expected);
    error OriginRefundMissing(uint256 refundCount, bytes32 originHash);
    error RefundToIsZero();
    error OutputChainDiffers(string chainId, bytes32 expectedHash);
    error PaymentCountDiffers(uint256 count, uint256 expected);
    error RecipientDiffers(bytes recipient, bytes32 expectedHash);
    error RecipientIsZero(bytes recipient);
    error OutputCurrencyDiffers(bytes currency, bytes32 expectedHash);
    error MinimumTooLow(uint256 minimumAmount, uint256 expected);
    error MinimumIsZero();
    /// @notice Thrown when the fill's deadline is outside the window. `earliest` is at least the current time.
    error DeadlineOutsideWindow(uint256 deadline, uint256 earliest, uint256 latest);
    error CallsDiffer(bytes32 callsHash, bytes32 expectedHash);
    error FeeCurrencyDiffers(uint256 index, string chainId, bytes currency, address expected);
    error FeesTooHigh(uint256 index, uint256 amount, uint256 left);
    error SignatureLengthDiffers(uint256 length, uint256 expected);
    error SignatureSAboveHalf(bytes32 s, bytes32 maximum);
    /// @notice Thrown when another account signed this order, or none: `signer` is then zero.
    error SignerDiffers(address signer, address expected);
    error DepositorInvalid(address depositor);

    bytes32 private constant ORDER_TYPE = 0xee05e73da8f2fce11d34a78a39998b4dd8a56c6298aa9ad2870c3f9a2821dc8e;
    bytes32 private constant INPUT_TYPE = 0xc5b0643c7427e4816be79fd8064fc108fc7c5aefbe7016b1eeeb150228f93745;
    bytes32 private constant PAYMENT_IN = 0x66edc7ab4e5f0ad0adad21638ffff360dbf956d89a28f9ec6cdd3e7a123bb4eb;
    bytes32 private constant REFUND_TYPE = 0x9f8e11410c9bfb023e54a2bfcc41ef4f8db1fe4bb5db7873169ff3aead2bf0e2;
    bytes32 private constant OUTPUT_TYPE = 0xec5bd83409077be71a3fbc2c8578ea7dd1aa0ce0a7be97571a0a89e61e2c2269;
    bytes32 private constant PAYMENT_OUT = 0x96c6557b6ec114bb9ff5291394bf5f35c3685043c1a46f43146634a70dca0cdc;
    bytes32 private constant FEE_TYPE = 0x5e1420e6482d4138dbc016fa378f064eb120b8b82c866fbb1da0b68c92f8abae;
    bytes32 private constant VERSION_HASH = keccak256("v1");
    bytes32 private constant HALF_CURVE_ORDER =
        0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;
    /// @notice Value of `outputCurrency` that allows any currency: a worthless token may then be the output.
    bytes32 internal constant ANY_CURRENCY = bytes32(uint256(1));

    /// @notice Checks an order and its signature: 65 bytes, or 64 (ERC-2098), with low `s`.
    /// @return orderId The id that the deposit must name.
    function check(
        Order calldata order,
        bytes calldata signature,
        Terms memory terms
    ) internal view returns (bytes32 orderId) {
        uint256 start;
        assembly ("memory-safe") {
            start := order
        }
        if (_hashMember(start, 0) != VERSION_HASH) revert VersionDiffers(order.version, "v1");
        if (order.solver != terms.solver) revert SolverDiffers(order.solver, terms.solver);
        // First, while the stack is empty: it needs the most of it.
        bytes32 inputs = _hashInputs(_member(start, 4), _word(_member(start, 5), 2), terms);
        orderId = keccak256(
            abi.encode(
                ORDER_TYPE,
                VERSION_HASH,
                _hashMember(start, 1),
                order.solver,
                order.salt,
                inputs,
                _hashOutput(_member(start, 5), terms),
                _hashFees(_member(start, 6), terms)
            )
        );
        address signer = _recover(orderId, signature);
        if (signer == address(0) || signer != terms.solver) revert SignerDiffers(signer, terms.solver);
    }

    /// @notice Checks the depository's `depositor`, which no order contains: it collects, by its key, what is not filled.
    function checkDepositor(address depositor) internal view {
        if (depositor == address(0) || depositor == address(this)) revert DepositorInvalid(depositor);
    }

    /// @notice Hash of an EVM address as an order has it: 20 bytes. Of any other address, take `keccak256`.
    function hashOf(address account) internal pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            mstore(0, shl(96, account))
            hash := keccak256(0, 20)
        }
    }

    // Structs and lists below are positions in the calldata, without bounds: what is compared is what the id hashes.

    function _hashInputs(uint256 inputs, uint256 fillBy, Terms memory terms) private pure returns (bytes32) {
        if (_word(inputs, 0) != 1) revert InputCountDiffers(_word(inputs, 0), 1);
        uint256 input = _entry(inputs, 0);
        bytes32 payment = _hashInputPayment(_member(input, 0), terms);
        bytes32 refunds = _hashRefunds(_member(input, 1), fillBy, terms);
        return _hashOne(keccak256(abi.encode(INPUT_TYPE, payment, refunds)));
    }

    function _hashInputPayment(uint256 paid, Terms memory terms) private pure returns (bytes32) {
        (bytes32 chain, bytes32 currency) = (_hashMember(paid, 0), _hashMember(paid, 1));
        (uint256 amount, uint256 weight) = (_word(paid, 2), _word(paid, 3));
        if (chain != terms.originChain) revert InputChainDiffers(string(_bytes(paid, 0)), terms.originChain);
        if (currency != hashOf(terms.currency)) revert InputCurrencyDiffers(_bytes(paid, 1), terms.currency);
        if (amount != terms.amount) revert InputAmountDiffers(amount, terms.amount);
        if (weight != 1) revert InputWeightDiffers(weight, 1);
        return _hashPaid(PAYMENT_IN, chain, currency, paid);
    }

    function _hashRefunds(uint256 list, uint256 fillBy, Terms memory terms) private pure returns (bytes32) {
        if (terms.refundTo == address(0)) revert RefundToIsZero();
        bytes32[] memory hashes = new bytes32[](_word(list, 0));
        (bool hasOrigin, bool isOrigin) = (false, false);
        for (uint256 i; i < hashes.length; ++i) {
            (hashes[i], isOrigin) = _hashRefund(_entry(list, i), i, fillBy, terms);
            hasOrigin = hasOrigin || isOrigin;
        }
        if (!hasOrigin) revert OriginRefundMissing(hashes.length, terms.originChain);
        return _hashList(hashes);
    }

    function _hashRefund(
        uint256 refund,
        uint256 index,
        uint256 fillBy,
        Terms memory terms
    ) private pure returns (bytes32 hash, bool isOrigin) {
        bytes32 chain = _hashMember(refund, 0);
        bytes32 recipient = _hashMember(refund, 1);
        bytes32 currency = _hashMember(refund, 2);
        uint256 deadline = _word(refund, 4);
        isOrigin = chain == terms.originChain;
        if (isOrigin) {
            address expected = terms.currency;
            if (currency != hashOf(expected))
                revert RefundCurrencyDiffers(index, _bytes(refund, 2), expected);
            if (deadline < fillBy) revert RefundDeadlineTooEarly(index, deadline, fillBy);
        } else if (chain != terms.destinationChain) {
            revert RefundChainDiffers(
                index,
                string(_bytes(refund, 0)),
                terms.originChain,
                terms.destinationChain
            );
        }
        if (
            recipient != hashOf(terms.refundTo) &&
            (isOrigin || terms.callsHash != 0 || recipient != terms.recipient)
        ) {
            revert RefundRecipientDiffers(index, _bytes(refund, 1), terms.refundTo);
        }
        bytes32 extraData = _hashMember(refund, 5);
        hash = keccak256(
            abi.encode(REFUND_TYPE, chain, recipient, currency, _word(refund, 3), deadline, extraData)
        );
    }

    function _hashOutput(uint256 output, Terms memory terms) private view returns (bytes32) {
        bytes32 chain = _hashMember(output, 0);
        if (chain != terms.destinationChain)
            revert OutputChainDiffers(string(_bytes(output, 0)), terms.destinationChain);
        bytes32 payments = _hashOutputPayments(_member(output, 1), terms);
        uint256 deadline = _word(output, 2);
        uint256 earliest = terms.earliestDeadline;
        if (earliest < block.timestamp) earliest = block.timestamp;
        if (deadline < earliest || deadline > terms.latestDeadline) {
            revert DeadlineOutsideWindow(deadline, earliest, terms.latestDeadline);
        }
        bytes32 calls = _hashCalls(_member(output, 3));
        bytes32 expected = terms.callsHash == 0 ? keccak256("") : terms.callsHash;
        if (calls != expected) revert CallsDiffer(calls, expected);
        return keccak256(abi.encode(OUTPUT_TYPE, chain, payments, deadline, calls, _hashMember(output, 4)));
    }

    function _hashOutputPayments(uint256 payments, Terms memory terms) private pure returns (bytes32) {
        if (_word(payments, 0) != 1) revert PaymentCountDiffers(_word(payments, 0), 1);
        uint256 payment = _entry(payments, 0);
        (bytes32 recipient, bytes32 currency) = (_hashMember(payment, 0), _hashMember(payment, 1));
        if (recipient != terms.recipient) revert RecipientDiffers(_bytes(payment, 0), terms.recipient);
        if (_isZero(_bytes(payment, 0))) revert RecipientIsZero(_bytes(payment, 0));
        if (currency != terms.outputCurrency && terms.outputCurrency != ANY_CURRENCY) {
            revert OutputCurrencyDiffers(_bytes(payment, 1), terms.outputCurrency);
        }
        uint256 minimum = _word(payment, 2);
        if (terms.minimumAmount == 0) revert MinimumIsZero();
        if (minimum < terms.minimumAmount) revert MinimumTooLow(minimum, terms.minimumAmount);
        return _hashOne(_hashPaid(PAYMENT_OUT, recipient, currency, payment));
    }

    function _hashCalls(uint256 calls) private pure returns (bytes32) {
        if (_word(calls, 0) == 0) return keccak256("");
        bytes32[] memory hashes = new bytes32[](_word(calls, 0));
        for (uint256 i; i < hashes.length; ++i) hashes[i] = _hashMember(calls + 32, i);
        return _hashList(hashes);
    }

    function _hashFees(uint256 fees, Terms memory terms) private pure returns (bytes32) {
        if (_word(fees, 0) == 0) return keccak256("");
        bytes32[] memory hashes = new bytes32[](_word(fees, 0));
        uint256 left = terms.maximumFees;
        for (uint256 i; i < hashes.length; ++i) {
            uint256 fee = _entry(fees, i);
            (bytes32 chain, bytes32 currency) = (_hashMember(fee, 2), _hashMember(fee, 3));
            if (chain != terms.originChain || currency != hashOf(terms.currency)) {
                revert FeeCurrencyDiffers(i, string(_bytes(fee, 2)), _bytes(fee, 3), terms.currency);
            }
            uint256 amount = _word(fee, 4);
            if (amount > left) revert FeesTooHigh(i, amount, left);
            left -= amount;
            (bytes32 recipientChain, bytes32 recipient) = (_hashMember(fee, 0), _hashMember(fee, 1));
            hashes[i] = keccak256(abi.encode(FEE_TYPE, recipientChain, recipient, chain, currency, amount));
        }
        return _hashList(hashes);
    }

    function _recover(bytes32 orderId, bytes calldata signature) private pure returns (address) {
        uint256 length = signature.length;
        if (length != 65 && length != 64) revert SignatureLengthDiffers(length, 65);
        (bytes32 digest, bytes32 r, bytes32 s, uint256 v) = (0, 0, 0, 0);
        assembly ("memory-safe") {
            mstore(0, "\x19Ethereum Signed Message:\n32")
            mstore(0x1c, orderId)
            digest := keccak256(0, 0x3c)
            r := calldataload(signature.offset)
            s := calldataload(add(signature.offset, 0x20))
            v := byte(0, calldataload(add(signature.offset, 0x40)))
            if eq(length, 64) {
                // The top bit of the second word is the parity.
                v := add(27, shr(255, s))
                s := shr(1, shl(1, s))
            }
        }
        if (s > HALF_CURVE_ORDER) revert SignatureSAboveHalf(s, HALF_CURVE_ORDER);
        return ecrecover(digest, uint8(v), r, s);
    }

    /// @dev Either kind of payment: the hashes of two members, then its third and fourth word.
    function _hashPaid(bytes32 kind, bytes32 a, bytes32 b, uint256 paid) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, kind)
            mstore(add(free, 0x20), a)
            mstore(add(free, 0x40), b)
            calldatacopy(add(free, 0x60), add(paid, 0x40), 0x40)
            hash := keccak256(free, 0xa0)
        }
    }

    function _hashOne(bytes32 member) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            mstore(0, member)
            hash := keccak256(0, 0x20)
        }
    }

    function _hashList(bytes32[] memory hashes) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            hash := keccak256(add(hashes, 0x20), shl(5, mload(hashes)))
        }
    }

    /// @dev Hash of a `string` or `bytes` member, copied to memory that stays free.
    function _hashMember(uint256 start, uint256 index) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let content := add(start, calldataload(add(start, shl(5, index))))
            let length := calldataload(content)
            let free := mload(0x40)
            calldatacopy(free, add(content, 0x20), length)
            hash := keccak256(free, length)
        }
    }

    function _member(uint256 start, uint256 index) private pure returns (uint256 position) {
        assembly ("memory-safe") {
            position := add(start, calldataload(add(start, shl(5, index))))
        }
    }

    /// @dev Position of a member of a list, whose offsets start after its length.
    function _entry(uint256 list, uint256 index) private pure returns (uint256) {
        unchecked {
            return _member(list + 32, index);
        }
    }

    function _word(uint256 start, uint256 index) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := calldataload(add(start, shl(5, index)))
        }
    }

    function _bytes(uint256 start, uint256 index) private pure returns (bytes calldata content) {
        uint256 position = _member(start, index);
        assembly ("memory-safe") {
            content.offset := add(position, 0x20)
            content.length := calldataload(position)
        }
    }

    function _isZero(bytes calldata content) private pure returns (bool) {
        for (uint256 i; i < content.length; ++i) if (content[i] != 0) return false;
        return true;
    }
}
